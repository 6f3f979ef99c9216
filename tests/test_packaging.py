"""The wheel, the locks, the start scripts and what an import costs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import sim42

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "scripts"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SOURCE = (ROOT / "sim42/__init__.py").read_text()
HEAVY = {"matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy"}


def run(*command, **kwargs):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, **kwargs)


# --- the wheel ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_is_pure_and_holds_the_package_alone(wheel):
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"sim42/py.typed", "sim42/__main__.py", "sim42/game/RULES.md"} <= set(names)
    assert {f"sim42/report/page.{end}" for end in ("html.jinja", "css", "js")} <= set(names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"sim42"}
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_installed_wheel_runs(wheel, tmp_path):
    site = tmp_path / "site packages"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    installed = run(*pip, "--target", site, wheel)
    assert installed.returncode == 0, installed.stderr
    env = os.environ | {"PYTHONPATH": str(site)}
    where = run(sys.executable, "-c", "import sim42; print(sim42.__file__)", env=env, cwd=tmp_path)
    assert where.stdout.strip() == str(site / "sim42/__init__.py")
    for command in ([site / "bin/sim42"], [sys.executable, "-m", "sim42"]):
        done = run(*command, "--version", env=env, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "0.1.0" in done.stdout


# --- the locks ------------------------------------------------------------------------------------


def locked(name):
    text = (SCRIPTS / name).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(" --hash=sha256:" in line for line in lines)
    return [Requirement(line.split(" --hash=")[0].strip()) for line in lines]


def versions(name, python):
    """Package -> exact version for one Python, on a common machine."""
    env = {"python_version": python, "python_full_version": f"{python}.1", "sys_platform": "linux"}
    pins = [pin for pin in locked(name) if pin.marker is None or pin.marker.evaluate(env)]
    assert len({pin.name for pin in pins}) == len(pins)
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in pins}


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_locks_satisfy_the_project(python):
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    runtime = versions("requirements.txt", python)
    test = versions("requirements-test.txt", python)
    assert runtime.items() <= test.items()
    wanted = {
        "runtime": (runtime, project["dependencies"] + groups["build"]),
        "test": (test, groups["test"] + project["optional-dependencies"]["cluster"]),
    }
    for pins, requirements in wanted.values():
        for requirement in map(Requirement, requirements):
            assert requirement.specifier.contains(pins[requirement.name]), requirement


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-test.txt"])
def test_locks_name_no_index(name):
    text = (SCRIPTS / name).read_text()
    assert "://" not in text
    assert "--find-links" not in text
    assert "--index" not in text


# --- the scripts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sim42", "test", "check", "lock", "_venv.sh"])
def test_scripts_are_sound(name):
    script = SCRIPTS / name
    assert os.access(script, os.X_OK) is not name.startswith("_")
    assert run("sh", "-n", script).stderr == ""


@pytest.fixture
def bare_checkout(tmp_path):
    """Only scripts, in a folder with a space, and a PATH with tools but without a Python."""
    checkout, tools = tmp_path / "a checkout", tmp_path / "tools"
    shutil.copytree(SCRIPTS, checkout / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    tools.mkdir()
    for tool in ("sh", "readlink", "cmp"):
        (tools / tool).symlink_to(shutil.which(tool))
    link = tmp_path / "the command"
    link.symlink_to(checkout / "scripts/sim42")

    def start(python3):
        if python3:
            (tools / "python3").write_text(f"#!/bin/sh\n{python3}\n")
            (tools / "python3").chmod(0o755)
        env = {"PATH": str(tools), "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}
        return run(link, "--version", cwd="/", env=env | {"PIP_INDEX_URL": "http://127.0.0.1:9/"})

    return start


@pytest.mark.parametrize(
    ("python3", "said"),
    [
        ("", "needs Python 3.11"),
        ("exit 1", "needs Python 3.11"),
        ('case "$2" in *ensurepip*) exit 1;; esac', "python3 lacks venv"),
        (f'exec "{sys.executable}" "$@"', "pip cannot reach its package index"),
    ],
    ids=["no python", "old python", "no venv", "no index"],
)
def test_set_up_that_cannot_be_says_why(bare_checkout, python3, said):
    done = bare_checkout(python3)
    assert (done.returncode, done.stdout) == (1, "")
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


# --- the house ------------------------------------------------------------------------------------


def test_top_level_holds_only_what_belongs_there():
    listed = run("git", "ls-files", cwd=ROOT)
    if listed.returncode:
        pytest.skip("not a checkout")
    top = {name.split("/")[0] for name in listed.stdout.splitlines()}
    allowed = "pyproject.toml README.md LICENSE sim42 scripts results tests benchmarks"
    assert {name for name in top if not name.startswith(".")} <= set(allowed.split())


PUBLIC = {
    *("Deal", "Game", "Given", "Hand", "Rules", "Trump"),
    *("Positions", "Solution", "makes", "makes_many", "solve", "solve_many"),
    *("Study", "add_runs", "bid_table", "load_run", "run_study"),
}


def test_public_names_are_these():
    """Whoever adds or takes a public name says so here."""
    assert set(sim42.__all__) == PUBLIC
    assert set(dir(sim42)) >= PUBLIC
    for name in PUBLIC:
        found = getattr(sim42, name)
        assert (found.__name__, found.__doc__ is not None) == (name, True)
    typed = re.findall(r"^    from ([\w.]+) import (\w+) as (\w+)$", SOURCE, re.MULTILINE)
    assert {(name, home) for home, name, _ in typed} == set(sim42._HOMES.items())
    with pytest.raises(AttributeError, match="module 'sim42' has no attribute 'bidder'"):
        sim42.bidder  # noqa: B018


@pytest.mark.parametrize("names", [[], ["Deal", "Game", "Hand", "Rules", "Trump"]])
def test_imports_are_light(names):
    code = f"import sys, sim42; [getattr(sim42, n) for n in {names}]; print(*sys.modules)"
    done = run(sys.executable, "-c", code, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert not HEAVY & set(done.stdout.split())


PLAIN = ["errors", "deals.seeds"] + [
    f"game.{path.stem}" for path in sorted((ROOT / "sim42/game").glob("[!_]*.py"))
]


@pytest.mark.parametrize("module", PLAIN)
def test_readable_modules_are_plain_python(module):
    code = f"import sys, sim42.{module}; print(*sys.modules)"
    done = run(sys.executable, "-c", code, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert not HEAVY & set(done.stdout.split())
