"""Registration of users' dialects: level, references, accesses and lowerings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Dialect, Operation
from xdsl.passes import ModulePass
from xdsl.traits import Pure

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import DIALECTS, UPSTREAM, add_dialect, remove_dialect
from ...dialects.declared_accesses import Declaration, declare_accesses, declared_accesses, forget_accesses
from ...plugins import origin
from ...semantics.registry import register_reference, unregister_reference
from ...traversal import operations
from .base import USER_LEVELS, Level

if TYPE_CHECKING:
    from .custom import Custom

Reference = Callable[..., Any]


@dataclass(frozen=True)
class _Entry:
    dialect: Dialect
    level: Level
    lowering: tuple[Custom | str, ...]


_entries: dict[str, _Entry] = {}


def register_dialect(
    dialect: Dialect,
    *,
    level: Level = Level.LOOP,
    references: Mapping[type[Operation], Reference] | None = None,
    accesses: Mapping[type[Operation], Declaration] | None = None,
    lowering: Custom | str | Sequence[Custom | str] = (),
) -> Dialect:
    """Register a dialect, so that its operations, attributes and types can be parsed, executed, checked and lowered.

    ```python
    tilewright.register_dialect(
        Dialect("poly", [EvalOp]),
        references={EvalOp: lambda op, x: np.polyval(op.coefficients, x).astype(x.dtype)},
        lowering="lower-poly",
    )
    ```
    `level` is the level of modules with its operations: `Level.LOOP` for scalars and vectors, `Level.TE` or
    `Level.GRAPH` for tensors. `references[Op](op, *operands)` returns the result of an operation, or a tuple of
    results, as numpy scalars and arrays of the dtypes in the IR; inside of te.compute a scalar can be an array of many
    points. The interpreter, validation and bisection execute references. `lowering` is a pass, its name, or a list of
    these, which run in order when a module first has `level`, before the passes for other dialects.

    Operations with the trait `Pure` are removed if their results are unused. `accesses[Op](op)` returns the
    `Accesses` of an operation with buffer operands: the buffers that it reads and those that it writes. Analyses,
    schedules and passes keep the order of the operation and other accesses of these buffers. Its reference gets an
    array for each buffer and writes to the array. A buffer operand without a declaration is refused (TW0235), and so is
    a buffer as result.

    Raises TilewrightError TW0234 for a name that is taken. A dialect of the same class or module replaces the earlier
    one, so that modules can be reloaded.
    """
    name = dialect.name
    if name in DIALECTS or name in UPSTREAM:
        fail("TW0234", f"the compiler has a dialect named '{name}'")
    if not isinstance(level, Level):  # pyright: ignore[reportUnnecessaryIsInstance]  (users')
        fail("TW0234", f"expected a level of tilewright.passes.Level for dialect '{name}', but got {level!r}")
    ops = list(dialect.operations)
    known = _entries.get(name)
    if known is not None and _defining_file(known.dialect) != _defining_file(dialect):
        fail(
            "TW0234",
            f"a dialect named '{name}' is registered already, by {_defining_file(known.dialect)}",
            help=f"tilewright.unregister_dialect('{name}') forgets that one",
        )
    for what, given in (("references", references), ("accesses", accesses)):
        for op in given or {}:
            if op not in ops:
                fail("TW0234", f"expected {what} of operations of dialect '{name}', but got one of {op.name}")
    is_one = isinstance(lowering, str) or not isinstance(lowering, (list, tuple))
    _entries[name] = _Entry(dialect, level, (lowering,) if is_one else tuple(lowering))  # pyright: ignore[reportArgumentType]
    USER_LEVELS[name] = level
    add_dialect(name, lambda: dialect)
    for op, reference in (references or {}).items():
        register_reference(op.name, reference)
    for op in ops:
        forget_accesses(op.name)
    for op, declaration in (accesses or {}).items():
        declare_accesses(op.name, declaration)
    return dialect


def unregister_dialect(name: str) -> None:
    """Remove a dialect that a user registered, with its references. Raises TilewrightError TW0234 if there is none."""
    entry = _entries.pop(name, None)
    if entry is None:
        reason = "is one of the compiler's" if name in DIALECTS or name in UPSTREAM else "is not registered"
        fail("TW0234", f"expected the name of a registered dialect, but '{name}' {reason}")
    USER_LEVELS.pop(name)
    remove_dialect(name)
    for op in entry.dialect.operations:
        unregister_reference(op.name)
        forget_accesses(op.name)


def has_user_dialects() -> bool:
    """Return whether a user registered a dialect."""
    return bool(_entries)


def user_lowerings(level: Level) -> list[ModulePass]:
    """Return the passes that lower operations of users' dialects of a level, in the order of registration."""
    from .context import as_pass

    return [as_pass(pass_) for entry in _entries.values() if entry.level == level for pass_ in entry.lowering]


def check_operands(module: ModuleOp) -> None:
    """Raise TilewrightError TW0235 for an operation of a user's dialect on a buffer without declared accesses."""
    if not _entries:
        return
    for op in operations(module):
        if op.dialect_name() in _entries:
            _check_operation(op)


def _check_operation(op: Operation) -> None:
    buffers = [v for v in op.operands if isinstance(v.type, MemRefType)]
    if any(isinstance(v.type, MemRefType) for v in op.results):
        fail("TW0235", f"expected results that are no buffers, but {op.name} has some", op=op)
    declared = declared_accesses(op)
    known = () if declared is None else (*declared.reads, *declared.writes)
    for buffer in buffers:
        if buffer not in known:
            fail("TW0235", f"expected {op.name} to declare that it reads or writes {name_of(buffer)}", op=op)
    if not all(each in buffers for each in known):
        fail("TW0235", f"expected {op.name} to declare accesses of buffers among its operands, but got others", op=op)
    if known and (op.regions or op.has_trait(Pure)):
        fail("TW0235", f"expected {op.name}, which accesses buffers, to be neither pure nor with regions", op=op)


def _defining_file(dialect: Dialect) -> str:
    """Return the file that defines a dialect's operations, which a module loaded under another name shares."""
    parts = (*dialect.operations, *dialect.attributes)
    return origin(parts[0])[0] if parts else dialect.name
