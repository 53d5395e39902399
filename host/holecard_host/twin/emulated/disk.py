"""The file system in the chip's flash: the compiled firmware, built once and kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ... import bundle, firmware_files


def cache_folder() -> Path:
    """Where built images are kept between runs."""
    root = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(root) / "holecard"


def keep(path: Path, data: bytes) -> None:
    """Write a file of the cache so that nobody sees half of it; without a writable cache nothing happens."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        pass


def disk_image(entry: str, files: Mapping[str, bytes]) -> bytes:
    """The firmware as a littlefs image, and `files` beside it; `entry` names a file to run instead of the table.

    Raises StandFault when a tool is missing.
    """
    digest = hashlib.sha256(Path(firmware_files.mpy_cross("emulator")).resolve().read_bytes())
    for name, path in firmware_files.sources().items():
        digest.update(name.encode() + b"\0" + path.read_bytes())
    digest.update(Path(entry).read_bytes() if entry else b"")
    makers = [Path(firmware_files.__file__), *sorted(Path(bundle.__file__).parent.glob("*.py"))]
    for maker in makers:
        digest.update(maker.read_bytes())
    for name, data in files.items():
        digest.update(name.encode() + b"\0" + data)
    path = cache_folder() / f"disk-{digest.hexdigest()[:24]}.lfs"
    try:
        return path.read_bytes()
    except OSError:
        pass
    image = firmware_files.image({**firmware_files.compiled(Path(entry) if entry else None), **files})
    keep(path, image)
    return image
