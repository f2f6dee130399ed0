#!/usr/bin/env python3
"""Generates clients from the API contract, checks their types, and uses the Python ones with a real server.

usage: generators.py [--program PATH] [NAME ...]

    generators.py                          all generators
    generators.py swift6 typescript-fetch  some of them

Each generator reads both forms of the contract, OpenAPI 3.1 and 3.0. The last line is "12 passed, 0 failed". A failed
check leaves its output in .build/generators. Exit codes: 1 if a check failed, 2 for wrong arguments, 3 if something is
not installed. script/setup --generators installs the generators and Java.

Known faults of the generators:

- openapi-python-client 0.29.1 takes `security: [{}, {bearer: []}]` as required, and types the client of such a call as
  AuthenticatedClient. A Client works too.
- openapi-generator 7.26.0 merges alternatives. For `oneOf` of two objects, kotlin writes one class that requires the
  members of both, and swift6 a type that does not compile if one of them has a member `id`. For `anyOf`, both keep the
  members of the last one only. So the contract has one schema for all alternatives, and lists them with `x-any-of`.
- openapi-python-client 0.29.1 writes code that does not compile for a body with two media types of one schema, if the
  call has no optional parameter. So the contract names one media type of JSON and of files.
- datamodel-code-generator 0.89.0 ignores `nullable` without --strict-nullable, for OpenAPI 3.0.
- The python client of openapi-generator 7.26.0 cannot send a fraction in a form, such as `size`, because urllib3 refuses
  a float. An edit can send it in JSON.
- openapi-generator 7.26.0 ignores all media types of a response but the first. Calls that can return JSON or an image
  return the type of the JSON.
"""
import argparse
import importlib
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import time
import traceback
import urllib.request
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = ROOT / ".build/python/bin"
OUT = ROOT / ".build/generators"
FORMS = {"31": ROOT / "openapi.yaml", "30": ROOT / "openapi/generated/openapi-3.0.yaml"}
DOCUMENT = json.loads((ROOT / "openapi/generated/openapi.json").read_text(encoding="utf-8"))
OPERATIONS = [
    operation["operationId"] for item in DOCUMENT["paths"].values() for key, operation in item.items() if key != "parameters"
]


def check(is_true: bool, what: str):
    if not is_true:
        raise AssertionError(what)


def run(*command) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    output = done.stdout + done.stderr
    check(done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{output[-4000:]}")
    return output


def snake(name: str) -> str:
    """getContractJSON becomes get_contract_json."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x40\x80\xc0" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Server:
    """A server with an empty folder of data, until the block ends."""

    def __init__(self, program: Path, folder: Path):
        self.program, self.folder = program, folder

    def __enter__(self) -> str:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {**os.environ, "MEMEME_DATA": str(self.folder / "data"), "MEMEME_HOST": "127.0.0.1", "MEMEME_PORT": str(port)}
        self.log = open(self.folder / "log", "w", encoding="utf-8")
        self.process = subprocess.Popen([self.program, "serve"], env=environment, stdout=self.log, stderr=self.log)
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(f"{url}/healthz", timeout=5):
                    return url
            except OSError:
                check(self.process.poll() is None and time.monotonic() < deadline, f"the server did not start: {self.folder}/log")
                time.sleep(0.1)

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def found(folder: Path, name: str) -> str:
    """The text of the only file of this name."""
    files = list(folder.rglob(name))
    check(len(files) == 1, f"{len(files)} files are named {name}")
    return files[0].read_text(encoding="utf-8")


def has(text: str, pattern: str):
    check(re.search(pattern, text) is not None, f"nothing matches {pattern}")


def openapi_generator(name: str, form: str, *options: str) -> Path:
    folder = OUT / f"{name}-{form}"
    run(PYTHON / "openapi-generator-cli", "generate", "-g", name, "-i", FORMS[form], "-o", folder, *options)
    return folder


def importable(folder: Path, package: str):
    """Imports all modules of the package."""
    sys.path.insert(0, str(folder))
    for file in sorted((folder / package).rglob("*.py")):
        parts = file.relative_to(folder).with_suffix("").parts
        importlib.import_module(".".join(part for part in parts if part != "__init__"))


def openapi_python_client(form: str, url: str):
    package = f"client_{form}"
    folder = OUT / f"openapi-python-client-{form}"
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "config.yaml"
    config.write_text((HERE / "openapi-python-client.yaml").read_text() + f"package_name_override: {package}\n", encoding="utf-8")
    output = run(
        PYTHON / "openapi-python-client", "generate", "--path", FORMS[form], "--config", config, "--meta", "none",
        "--output-path", folder / package, "--overwrite")
    check("WARNING" not in output and "will not be generated" not in output, output)
    importable(folder, package)
    modules = {file.stem for file in (folder / package / "api").rglob("*.py")}
    check({snake(name) for name in OPERATIONS} <= modules, f"missing: {sorted({snake(name) for name in OPERATIONS} - modules)}")
    meme = found(folder, "meme.py")
    for pattern in [r"author: Author \| None\b", r"crop: Crop \| None\b", r"original: None \| Original\b", r"version: int\b"]:
        has(meme, pattern)
    has(found(folder, "meme_page.py"), r"items: list\[ListedMeme\]")

    def api(path: str):
        return importlib.import_module(f"{package}.api.{path}")

    models, types = importlib.import_module(f"{package}.models"), importlib.import_module(f"{package}.types")
    clients = importlib.import_module(package)
    name = f"opc{form}"
    anonymous = clients.Client(base_url=url, raise_on_unexpected_status=True)
    registration = models.Registration(username=name, email=f"{name}@example.org", password="a cat on a keyboard")
    check(isinstance(api("people.register").sync(client=anonymous, body=registration), models.User), "register")
    session = api("people.sign_in").sync(client=anonymous, body=models.SignIn(username=name, password="a cat on a keyboard"))
    check(isinstance(session, models.SignedIn), "sign in")
    client = clients.AuthenticatedClient(base_url=url, token=session.token, raise_on_unexpected_status=True)
    image = types.File(payload=__import__("io").BytesIO(png(64, 48)), file_name="cat.png", mime_type="image/png")
    # The client writes the Boolean as True.
    form_fields = models.MemeForm(image=image, top="one does not simply", same_size=True, visibility=models.Visibility.PRIVATE)
    meme = api("memes.create_meme").sync(client=client, body=form_fields)
    check(isinstance(meme, models.CreatedMeme) and meme.author.username == name and meme.crop is None, "create a meme")
    check(meme.style.same_size is True, "send a Boolean in a form")
    page = api("memes.list_memes").sync(client=client, author="me", view=models.ListMemesView.TABLE)
    check(isinstance(page, models.MemePage) and [item.id for item in page.items] == [meme.id], "list memes")
    edited = api("memes.edit_meme").sync(id=meme.id, client=client, body=models.MemeEdit(top="so it ends", fill=None))
    check(isinstance(edited, models.Meme) and (edited.version, edited.top) == (2, "so it ends"), "edit the meme")
    check(api("memes.delete_meme").sync_detailed(id=meme.id, client=client).status_code == 204, "delete the meme")
    problem = api("memes.get_meme").sync(id=meme.id, client=client)
    check(isinstance(problem, models.Problem) and problem.code == "gone", "get the deleted meme")
    page = api("memes.list_memes").sync(client=client, author="nobody_of_this_name")
    check(isinstance(page, models.Problem) and page.status == 404, "a problem of a list")


def python(form: str, url: str):
    package = f"generated_{form}"
    folder = openapi_generator("python", form, "--package-name", package)
    importable(folder, package)
    calls = "".join(file.read_text(encoding="utf-8") for file in (folder / package / "api").glob("*_api.py"))
    missing = [name for name in OPERATIONS if f"def {snake(name)}(" not in calls]
    check(not missing, f"missing: {missing}")
    has(found(folder / package, "meme.py"), r"author: Optional\[Author\]")
    has(found(folder / package, "meme_page.py"), r"items: .*List\[ListedMeme\]")
    has(calls, r"layout: Optional\[CaptionLayout\]")

    generated = importlib.import_module(package)
    name = f"ogp{form}"
    client = generated.ApiClient(generated.Configuration(host=url))
    people, memes = generated.PeopleApi(client), generated.MemesApi(client)
    people.register(generated.Registration(username=name, email=f"{name}@example.org", password="a cat on a keyboard"))
    session = people.sign_in(generated.SignIn(username=name, password="a cat on a keyboard"))
    client.configuration.access_token = session.token
    meme = memes.create_meme(image=("cat.png", png(64, 48)), top="one does not simply", visibility=generated.Visibility.PRIVATE)
    check(isinstance(meme, generated.CreatedMeme) and meme.author.username == name and meme.crop is None, "create a meme")
    page = memes.list_memes(author="me", view="table")
    check([item.id for item in page.items] == [meme.id] and page.items[0].title == "one does not simply", "list memes")
    check(memes.list_memes(author="me").items[0].author.username == name, "list memes in full")
    edited = memes.edit_meme(meme.id, meme_edit=generated.MemeEdit(top="so it ends"))
    check((edited.version, edited.top) == (2, "so it ends"), "edit the meme")
    check(memes.get_meme_thumbnail(meme.id)[:3] in (b"\xff\xd8\xff", b"\x89PN"), "get a thumbnail")
    memes.delete_meme(meme.id)
    try:
        memes.get_meme(meme.id)
        check(False, "the deleted meme is there")
    except generated.ApiException as error:
        check(error.status == 410, "get the deleted meme")


def datamodel(form: str, url: str):
    folder = OUT / f"datamodel-code-generator-{form}"
    folder.mkdir(parents=True, exist_ok=True)
    module = f"models_{form}"
    run(
        PYTHON / "datamodel-codegen", "--input", FORMS[form], "--input-file-type", "openapi", "--output-model-type",
        "pydantic_v2.BaseModel", "--target-python-version", "3.11", "--strict-nullable", "--output", folder / f"{module}.py")
    sys.path.insert(0, str(folder))
    models = importlib.import_module(module)
    missing = [name for name in DOCUMENT["components"]["schemas"] if not hasattr(models, name)]
    check(not missing, f"missing: {missing}")
    text = (folder / f"{module}.py").read_text(encoding="utf-8")
    has(text, r"(?s)class Meme\(BaseModel\):.*?author: Author \| None")
    has(text, r"(?s)class MemePage\(BaseModel\):.*?items: list\[ListedMeme\]")
    boundary = "----------------b"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="cat.png"\r\n\r\n'.encode()
        + png(64, 48) + f"\r\n--{boundary}--\r\n".encode())
    request = urllib.request.Request(
        f"{url}/memes", data=body, headers={"Content-Type": f"multipart/form-data; boundary={boundary}"})
    with urllib.request.urlopen(request, timeout=60) as response:
        meme = models.CreatedMeme.model_validate_json(response.read())
    check(meme.author is None and meme.deleteToken is not None, "create a meme")
    for view, path in [("full", "memes"), ("table", "memes"), ("grid", "memes")]:
        with urllib.request.urlopen(f"{url}/{path}?view={view}", timeout=60) as response:
            check(len(models.MemePage.model_validate_json(response.read()).items) > 0, f"list memes as {view}")


def typescript_fetch(form: str, _: str):
    folder = openapi_generator("typescript-fetch", form)
    has(found(folder, "Meme.ts"), r"author: Author \| null;")
    has(found(folder, "MemePage.ts"), r"items: Array<ListedMeme>;")
    has(found(folder, "Change.ts"), r"meme\?: Meme;")
    calls = "".join(file.read_text(encoding="utf-8") for file in (folder / "apis").glob("*.ts"))
    missing = [name for name in OPERATIONS if f"async {name}(" not in calls]
    check(not missing, f"missing: {missing}")
    has(calls, r"async createMeme\([^)]*\): Promise<CreatedMeme>")
    has(calls, r"async getMemeImage\([^)]*\): Promise<(Blob|runtime\.HttpFile)>")


def swift6(form: str, _: str):
    folder = openapi_generator("swift6", form)
    has(found(folder, "Meme.swift"), r"public var author: Author\?")
    has(found(folder, "MemePage.swift"), r"public var items: \[ListedMeme\]")
    calls = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("APIs/*.swift"))
    missing = [name for name in OPERATIONS if f"class func {name}(" not in calls]
    check(not missing, f"missing: {missing}")
    has(calls, r"class func createMeme\([^)]*\).* -> CreatedMeme\b")
    has(calls, r"class func listMemes\([^)]*\).* -> MemePage\b")
    run("swiftc", "-typecheck", "-swift-version", "6", *sorted(folder.rglob("Sources/**/*.swift")))


def kotlin(form: str, _: str):
    folder = openapi_generator("kotlin", form)
    has(found(folder, "Meme.kt"), r"val author: Author\?")
    has(found(folder, "MemePage.kt"), r"val items: kotlin\.collections\.List<ListedMeme>")
    has(found(folder, "Change.kt"), r"val meme: Meme\?")
    calls = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("apis/*.kt"))
    # A reserved word gets another name.
    names = {"suspend": "callSuspend"}
    missing = [name for name in OPERATIONS if f"fun {names.get(name, name)}(" not in calls]
    check(not missing, f"missing: {missing}")
    has(calls, r"fun createMeme\([^)]*\) : CreatedMeme\b")


GENERATORS = {
    "openapi-python-client": openapi_python_client, "python": python, "datamodel-code-generator": datamodel,
    "typescript-fetch": typescript_fetch, "swift6": swift6, "kotlin": kotlin,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Generates clients from the API contract, and checks them.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(GENERATORS)}")
    parser.add_argument("--program", type=Path, default=ROOT / ".build/release/mememe", help="the server (%(default)s)")
    options = parser.parse_args()
    if unknown := set(options.names) - set(GENERATORS):
        parser.error(f"unknown generators: {', '.join(sorted(unknown))}")
    if not (PYTHON / "openapi-generator-cli").exists() or not shutil.which("java"):
        print("generators: run script/setup --generators first", file=sys.stderr)
        return 3
    if not options.program.exists():
        print(f"generators: no program at {options.program}", file=sys.stderr)
        return 3
    if Path(sys.prefix) != PYTHON.parent:
        # The generated clients need packages of this environment.
        os.execv(PYTHON / "python", [str(PYTHON / "python"), __file__, *sys.argv[1:]])
    shutil.rmtree(OUT, ignore_errors=True)
    passed = failed = 0
    with Server(options.program.resolve(), OUT / "server") as url:
        for name in options.names or GENERATORS:
            for form in FORMS:
                began = time.monotonic()
                try:
                    GENERATORS[name](form, url)
                except Exception:
                    failed += 1
                    traceback.print_exc()
                    print(f"FAILED {name}, OpenAPI {form[0]}.{form[1]}", flush=True)
                else:
                    passed += 1
                    print(f"passed {name}, OpenAPI {form[0]}.{form[1]} ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
