"""Access to files that users name: the functions of the runtime, and readers of text and of other frameworks' files."""

from __future__ import annotations

from pathlib import Path

from ..runtime.files import TEMPORARY_SUFFIX as TEMPORARY_SUFFIX
from ..runtime.files import FilePath as FilePath
from ..runtime.files import check_file as check_file
from ..runtime.files import fail_writing as fail_writing
from ..runtime.files import open_file as open_file
from ..runtime.files import path_inside as path_inside
from ..runtime.files import read_bytes as read_bytes
from ..runtime.files import reason as reason
from ..runtime.files import shown as shown
from ..runtime.files import write_file as write_file
from ..runtime.files import written_whole as written_whole
from .errors import fail


def read_text(path: FilePath) -> str:
    """Read the text of a regular file in UTF-8 without a mark of its byte order, each end of a line as one newline.

    Raises TilewrightError TW0204, and TW0261 for a file of another program.
    """
    check_kind(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        fail(
            "TW0204",
            f"expected UTF-8 text, but '{shown(path)}' has the byte 0x{error.object[error.start]:02x} at {error.start}",
            help="give a file of text; text in another encoding is converted as by iconv -f LATIN1 -t UTF-8",
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_kind(path: FilePath, but: str | None = None) -> None:
    """Raise TilewrightError TW0261 for a file or a folder of another program, `but` for that kind of files."""
    from .file_kinds import fail_as, kind_of, kind_of_folder

    kind = None
    try:
        if Path(path).is_dir():
            kind = kind_of_folder(Path(path))
        else:
            with open_file(path) as file:
                kind = kind_of(file)
    except (OSError, ValueError):
        return  # the reader of the file reports the error
    if kind is not None and kind != but:
        fail_as(kind, shown(path))
