"""Every public name has an example, and every example in the code and in the guides runs."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import ossature

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [m.name for m in pkgutil.walk_packages(ossature.__path__, "ossature.") if not m.name.endswith("__main__")]
GUIDES = ["README.md", "docs/python-guide.md", "docs/coming-from.md", "docs/CLUSTERS.md", "python/README.md"]


@pytest.mark.parametrize("name", ["ossature", *MODULES])
def test_the_examples_of_a_module(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


@pytest.mark.parametrize("name", [n for n in ossature.__all__ if n != "__version__"])
def test_every_public_name_has_an_example(name: str) -> None:
    assert ">>>" in (getattr(ossature, name).__doc__ or ""), name


def test_every_public_method_says_what_it_does() -> None:
    for name in ossature.__all__:
        kind = getattr(ossature, name)
        if isinstance(kind, type):
            for method, body in vars(kind).items():
                if not method.startswith("_") and (callable(body) or isinstance(body, (property, classmethod))):
                    assert body.__doc__, f"{name}.{method}"


@pytest.mark.parametrize("guide", GUIDES)
def test_the_code_of_a_guide_runs(guide: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, guide, guide, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            runner.run(test, clear_globs=False)
            assert runner.summarize().failed == 0
            names = test.globs
        else:
            exec(compile(block, guide, "exec"), names)
