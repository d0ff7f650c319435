"""Names for type checkers. Written by `python -m tilewright.tools.face_stubs`."""

from ..classic import container as container
from ..classic import instrument as instrument
from ..classic.ir_names import Array as Array
from ..classic.ir_names import GlobalVar as GlobalVar
from ..classic.ir_names import Map as Map
from ..classic.ir_names import DataType as _PrimType
from ..classic import ir_op as _op
from ..classic.ir_op import register_intrin_lowering as register_intrin_lowering
from ..classic.ir_op import register_op_attr as register_op_attr
from ..classic.relay.expr import Expr as _RelayExpr
from ..classic.relay.types import FuncType as FuncType
from ..classic.relay.types import TensorType as TensorType
from ..classic.relay.types import TupleType as TupleType
from ..classic import script_errors as _diagnostics
from ..classic.structural import assert_structural_equal as assert_structural_equal
from ..classic.structural import structural_equal as structural_equal
from ..classic.structural import structural_hash as structural_hash
from ..classic.te_schedule import load_json as load_json
from ..classic.te_schedule import save_json as save_json
from ..classic import transform as transform
from ..classic.type_names import BaseExpr as BaseExpr
from ..classic.type_names import PrimExpr as PrimExpr
from ..dialects.ir_module import IRModule as IRModule
from ..te.ranges import Range as Range

__all__: list[str]
PrimType = _PrimType
op = _op
RelayExpr = _RelayExpr
diagnostics = _diagnostics
