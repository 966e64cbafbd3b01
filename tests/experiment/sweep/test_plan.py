"""From a file to cells, and what makes two cells the same."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import broker_sim
from broker_sim.errors import ConfigurationError
from broker_sim.experiment import Experiment
from broker_sim.experiment.sweep import Sweep, load_sweep, shipped_sweeps
from broker_sim.experiment.sweep.code_version import code_version
from broker_sim.experiment.sweep.templates import filled, placeholders


def keys(sweep: Sweep) -> set[str]:
    return {cell.key for cell in sweep.cells}


def experiments(sweep: Sweep) -> list[Experiment]:
    built = [cell.experiment() for cell in sweep.cells]
    assert all(isinstance(each, Experiment) for each in built)
    return [each for each in built if isinstance(each, Experiment)]


def test_axes_fill_placeholders_and_seeds_replicate(tiny: Path) -> None:
    sweep = load_sweep(tiny)
    assert (sweep.name, sweep.profile, len(keys(sweep))) == ("tiny", None, 8)
    assert [(each.topology, each.strategies, each.seed) for each in experiments(sweep)][:3] == [
        ("line:n=2", ("no-adv-no-cov",), 1),
        ("line:n=2", ("no-adv-no-cov",), 2),
        ("line:n=2", ("with-adv-with-cov",), 1),
    ]
    assert sweep.cells[0].point == {"size": 2, "strategy": "no-adv-no-cov", "seed": 1}


def test_dotted_axes_zipped_groups_exclusions_and_a_base(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('topology = "star-8"\n[subscriptions.generate]\nnumber = 7\n')
    file = tmp_path / "own.toml"
    file.write_text("""
seeds = [5]
[experiment]
base = "base.toml"
topology = "{family}:n=4{options}"
[axes]
"subscriptions.generate.wildcard" = { from = 0.0, to = 0.2, step = 0.1 }
[[zip]]
family = ["line", "random-tree"]
options = ["", ",seed={seed}"]
[[exclude]]
family = "line"
"subscriptions.generate.wildcard" = 0.1
""")
    found = [(each.topology, each.subscriptions.generate.wildcard) for each in experiments(load_sweep(file))]
    trees = [("random-tree:n=4,seed=5", wildcard) for wildcard in (0.0, 0.1, 0.2)]
    assert sorted(found) == [("line:n=4", 0.0), ("line:n=4", 0.2), *trees]
    assert all(each.subscriptions.generate.number == 7 for each in experiments(load_sweep(file)))


def test_profiles_lie_over_the_file_and_overrides_over_them(tiny: Path) -> None:
    profiles = "[profiles.quick]\nseeds=1\naxes.size=[4]\nexperiment.schema.dtd='book'\n[profiles.full]\nseeds=3\n"
    tiny.write_text(tiny.read_text() + profiles)
    quick, full = load_sweep(tiny), load_sweep(tiny, "full")
    assert (quick.profile, len(quick.cells), len(full.cells)) == ("quick", 2, 12)
    assert {(each.topology, each.schema.dtd) for each in experiments(quick)} == {("line:n=4", "book")}
    changed = load_sweep(tiny, "full", ["seeds=[7]", "axes.size=[5]", "schema.dtd=psd", "network.links.latency=1"])
    assert {(each.topology, each.schema.dtd, each.seed) for each in experiments(changed)} == {("line:n=5", "psd", 7)}
    assert all(each.network.links.latency == 1 for each in experiments(changed))


def test_a_key_belongs_to_parameters_and_file_contents(tiny: Path, tmp_path: Path) -> None:
    before = keys(load_sweep(tiny))
    assert keys(load_sweep(tiny)) == before
    assert not before & keys(load_sweep(tiny, overrides=["subscriptions.generate.number=6"]))
    assert len(before & keys(load_sweep(tiny, overrides=["axes.size=[2, 9]"]))) == 4
    own = tmp_path / "own.txt"
    overrides = [f"subscriptions.file={str(own)!r}"]
    own.write_text("/bib\n")
    first = keys(load_sweep(tiny, overrides=overrides))
    own.write_text("/bib/book\n")
    assert not first & keys(load_sweep(tiny, overrides=overrides))


def test_a_key_belongs_to_what_all_dtds_declare(tiny: Path, tmp_path: Path) -> None:
    main, module = tmp_path / "own.dtd", tmp_path / "own.mod"
    overrides = [f"schema.also=[{str(main)!r}]", "schema.dtd='book'"]
    main.write_text("<!ENTITY % own SYSTEM 'own.mod'> %own; <!ELEMENT a (b*)>")
    module.write_text("<!ELEMENT b EMPTY>")
    before = keys(load_sweep(tiny, overrides=overrides))
    module.write_text("<!-- the same --><!ELEMENT b EMPTY>")
    assert keys(load_sweep(tiny, overrides=overrides)) == before
    module.write_text("<!ELEMENT b (#PCDATA)>")
    assert not before & keys(load_sweep(tiny, overrides=overrides))
    main.write_text("no DTD")
    assert len(keys(load_sweep(tiny, overrides=overrides)) - before) == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("axis.size = [1]", "axis: is unknown; expected one of description, experiment, axes"),
        ("axes.size = 3", "axes.size: expected a list or a range"),
        ("axes.sise = [3]", "sise: is unknown"),
        ("axes.unit = ['path']", "unit: expected one of"),
        ("seeds = 0", "seeds: expected how many"),
        ("seeds = [1, 1]", "seeds: names 1 twice"),
        ("axes.seed = [1]", "are the same column"),
        ("zip = 3", r"zip: expected \[\[zip\]\] tables"),
        ("[[exclude]]\nsize = 1", "exclude: .*are no axes"),
        ("experiment = 'paper-traffic'", "experiment: expected a table"),
        ("[experiment]\nbase = 'nothing'", "no experiment 'nothing'"),
        ("[profiles]\nfast = {}\n[profiles.quick]\nspeed = 1", "speed: is unknown"),
    ],
)
def test_wrong_files_name_the_key(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=message) as raised:
        load_sweep(file)
    assert raised.value.source == str(file)


def test_unknown_profiles_and_names(tiny: Path) -> None:
    with pytest.raises(ConfigurationError, match="no profile 'full'; there are: none"):
        load_sweep(tiny, "full")
    with pytest.raises(ConfigurationError, match=f"no sweep 'nothing'.*{shipped_sweeps()[0]}"):
        load_sweep("nothing")


def test_placeholders() -> None:
    tables = {"a": ["{n}", "x{n}-{other}", {"b": "{m}"}], "c{n}": 1}
    assert sorted(placeholders(tables)) == ["m", "n", "n", "n", "other"]
    assert filled(tables, {"n": 3, "m": [1]}) == {"a": [3, "x3-{other}", {"b": [1]}], "c3": 1}


def test_the_code_version_is_that_of_a_zip_file_with_the_same_code(tmp_path: Path) -> None:
    project = Path(broker_sim.__file__).parents[1]
    archive = tmp_path / "code.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for package in ("dtd_ads", "broker_sim"):
            for file in sorted((project / package).rglob("*")):
                if file.suffix in (".py", ".dtd"):
                    out.write(file, file.relative_to(project))
        out.writestr("broker_sim/experiments/sweep.py", "not counted")
    program = "from broker_sim.experiment.sweep.code_version import code_version as c; print(c.__module__, c())"
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(archive)}, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.split()[1:] == [code_version()], done.stderr
