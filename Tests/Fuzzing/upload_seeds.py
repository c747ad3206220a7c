"""Writes archives and bodies of uploads into a folder, as seeds for the fuzzer."""

import json
import pathlib
import sys
import warnings
import zipfile

folder = pathlib.Path(sys.argv[1])
LINES = '{"model": "film", "fields": {"title": "Solaris"}}\r\n' * 5


class Stream:
    """A stream without seeking, so that sizes are written after the contents."""

    def __init__(self, path):
        self.file = open(path, "wb")

    def write(self, data):
        return self.file.write(data)

    def flush(self):
        self.file.flush()


def archive(name, entries, method=zipfile.ZIP_DEFLATED, stream=False, **options):
    path = folder / f"{name}.zip"
    target = Stream(path) if stream else path
    with zipfile.ZipFile(target, "w", method) as written:
        for entry, contents in entries:
            with written.open(entry, "w", **options) as file:
                file.write(contents.encode())
    return path


usual = [("data", LINES), ("deletedFiles", ""), ("6b1f0c3e-6c1c-4f7e", "a photograph")]
archive("stored", usual, zipfile.ZIP_STORED)
archive("deflated", usual)
archive("streamed", usual, stream=True)
archive("streamed-stored", usual, zipfile.ZIP_STORED, stream=True)
archive("long", usual, force_zip64=True)
archive("long-streamed", usual, stream=True, force_zip64=True)
archive("bzip2", usual, zipfile.ZIP_BZIP2)
archive("empty", [])
archive("many", [(str(number), "") for number in range(31)])
archive("expanding", [("data", "\0" * 60_000)])
archive("marked", [("data", "\ufeff" + "a" * 50 + "\r\n\n\r")])
archive("path", [("../ż", "x")])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    archive("repeated", [("data", "1"), ("data", "2")])

with zipfile.ZipFile(folder / "comment.zip", "w") as written:
    written.writestr("data", "x")
    written.comment = b"PK\5\6 is a mark"

head = b'\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="file"\r\n\r\n'
upload = head + (folder / "stored.zip").read_bytes() + b"\r\n--b--\r\n"
(folder / "upload.body").write_bytes(upload)
(folder / "parts.body").write_bytes(head[2:] + b"\r\n--bb\r\n--b \r" + head + b"\r\n--b--")
(folder / "lf.body").write_bytes(upload.replace(b"\r\n", b"\n"))

LINE = {"model": "m", "guid": "0f8fad5b-d9cb-469f-a165-70867728950e", "resolveConflict": False,
        "fields": {"s_deleted": "true", "a": "1.5E-7", "b": "true", "c": None, "d": "-1",
                   "e": {"guid": "0f8fad5b-d9cb-469f-a165-70867728950e", "filename": "\u017c"}}}
(folder / "object.line").write_text(json.dumps(LINE))
LINE["fields"]["e"] = json.dumps(LINE["fields"]["e"])
(folder / "text.line").write_text(json.dumps(LINE))
