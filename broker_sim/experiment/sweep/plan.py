"""From a sweep's file to its cells.

A file has a table `experiment` (with `base`, the name or file of an experiment to start from), `axes`, zipped groups
`[[zip]]`, exclusions `[[exclude]]`, `seeds` (a list, or how many to count from 1) and `profiles`: a profile's tables
are laid over those of the file. An axis is named by the dotted key that it sets in the experiment, or freely: then the
experiment must use it as a placeholder (see `templates`).

Each cell is one experiment, checked when the plan is made, with the values of its axes. Its key is a hash of both, of
the files that the experiment reads, and of the code: what has been run under a key need not be run again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from broker_sim.errors import ConfigurationError
from broker_sim.experiment.loading import AnyExperiment, build_experiment, experiment_tables
from broker_sim.experiment.sweep.axes import Point, axis_values, combinations, zipped
from broker_sim.experiment.sweep.code_version import code_version
from broker_sim.experiment.sweep.inputs import Inputs
from broker_sim.experiment.sweep.templates import filled, placeholders
from broker_sim.experiment.tables import override, read_toml
from broker_sim.shipped import shipped

DEFAULT_PROFILE: Final = "quick"
KEYS: Final = ("description", "experiment", "axes", "zip", "exclude", "seeds")


@dataclass(frozen=True, slots=True)
class Cell:
    """One experiment of a sweep: `tables` describe it, `point` tells what sets it apart."""

    key: str
    point: Point
    tables: dict[str, Any]

    def experiment(self) -> AnyExperiment:
        """The experiment itself."""
        return build_experiment(self.tables, f"cell {self.key}")


@dataclass(frozen=True, slots=True)
class Sweep:
    """The cells of a file under one profile."""

    name: str
    profile: str | None
    cells: tuple[Cell, ...]


def load_sweep(path_or_name: str | Path, profile: str | None = None, overrides: Iterable[str] = ()) -> Sweep:
    """The sweep in a TOML file, or the shipped one of that name.

    Without `profile`, it is `quick` where the file has that one. `overrides` are `key=value` texts for the experiment,
    or `axes.NAME=[..]` and `seeds=..`.
    """
    file = _file(path_or_name)
    source = str(path_or_name)
    tables = read_toml(file)
    try:
        chosen, tables = _with_profile(tables, profile)
        for assignment in overrides:
            _override(tables, assignment)
        cells = tuple(_cells(file, tables))
    except ConfigurationError as error:
        place = f"{error.source}: " if error.source not in (None, source) else ""
        raise ConfigurationError(f"{place}{error.message}", source=source) from error
    return Sweep(file.stem, chosen, cells)


def shipped_sweeps() -> list[str]:
    """The names of the sweeps that come with the package."""
    return sorted(file.stem for file in (shipped("experiments") / "sweeps").glob("*.toml"))


def _file(path_or_name: str | Path) -> Path:
    if str(path_or_name) in shipped_sweeps():
        return shipped("experiments") / "sweeps" / f"{path_or_name}.toml"
    file = Path(path_or_name)
    if file.suffix != ".toml" and not file.is_file():
        known = ", ".join(shipped_sweeps())
        raise ConfigurationError(f"no sweep {str(path_or_name)!r}; give a TOML file or one of: {known}")
    return file


def _with_profile(tables: dict[str, Any], profile: str | None) -> tuple[str | None, dict[str, Any]]:
    profiles = _table(tables.pop("profiles", {}), "profiles")
    _known(tables)
    if profile is None and DEFAULT_PROFILE in profiles:
        profile = DEFAULT_PROFILE
    if profile is None:
        return None, tables
    if profile not in profiles:
        known = ", ".join(profiles) or "none"
        raise ConfigurationError(f"no profile {profile!r}; there are: {known}", source="profiles")
    over = _table(profiles[profile], f"profiles.{profile}")
    _known(over)
    merged = {**tables, **over}
    merged["axes"] = {**_table(tables.get("axes", {}), "axes"), **_table(over.get("axes", {}), "axes")}
    merged["experiment"] = _merged(tables.get("experiment", {}), over.get("experiment", {}))
    return profile, merged


def _known(tables: Mapping[str, Any]) -> None:
    for key in tables:
        if key not in KEYS:
            raise ConfigurationError(f"is unknown; expected one of {', '.join((*KEYS, 'profiles'))}", source=key)


def _table(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigurationError(f"expected a table, not {value!r}", source=name)
    return value


def _merged(below: Any, over: Any) -> Any:
    """Tables laid over each other; anything else replaces what is below."""
    if isinstance(below, dict) and isinstance(over, dict):
        return {**below, **{key: _merged(below[key], value) if key in below else value for key, value in over.items()}}
    return over


def _override(tables: dict[str, Any], assignment: str) -> None:
    name = assignment.partition("=")[0].strip()
    if name.startswith("axes."):
        axes = _table(tables.setdefault("axes", {}), "axes")
        value: dict[str, Any] = {}
        override(value, f"value={assignment.partition('=')[2]}")
        axes[name.removeprefix("axes.")] = value["value"]
    elif name == "seeds":
        override(tables, assignment)
    else:
        override(_table(tables.setdefault("experiment", {}), "experiment"), assignment)


def _cells(file: Path, tables: Mapping[str, Any]) -> Iterator[Cell]:
    experiment = _base(file, _table(tables.get("experiment", {}), "experiment"))
    groups = _groups(tables)
    names = [name for group in groups for name in group[0]]
    _check_names(names)
    exclusions = _exclusions(tables, names)
    free = {*placeholders(experiment), *placeholders([point for group in groups for point in group])}
    inputs = Inputs()
    for point in combinations(groups, exclusions):
        yield _cell(experiment, point, free, inputs)


def _base(file: Path, experiment: dict[str, Any]) -> dict[str, Any]:
    """The experiment's tables, laid over those of its base."""
    tables = {key: value for key, value in experiment.items() if key != "base"}
    if "base" in experiment:
        base = str(experiment["base"])
        beside = file.parent / base
        tables = _merged(experiment_tables(beside if beside.is_file() else base), tables)
    tables.pop("description", None)
    return {**tables, "name": file.stem}


def _groups(tables: Mapping[str, Any]) -> list[list[Point]]:
    """Axes and zipped groups as lists of points, then the seeds."""
    axes = _table(tables.get("axes", {}), "axes")
    groups = [[{name: value} for value in axis_values(written, f"axes.{name}")] for name, written in axes.items()]
    groups += [zipped(group, "zip") for group in _tables(tables.get("zip", []), "zip")]
    return [*groups, [{"seed": seed} for seed in _seeds(tables.get("seeds", [1]))]]


def _tables(value: object, name: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise ConfigurationError(f"expected [[{name}]] tables, not {value!r}", source=name)
    return [_table(each, name) for each in value]


def _seeds(written: object) -> list[int]:
    if isinstance(written, int) and not isinstance(written, bool) and written >= 1:
        return list(range(1, written + 1))
    if isinstance(written, list) and written and all(type(seed) is int for seed in written):
        return [int(seed) for seed in axis_values(written, "seeds")]
    raise ConfigurationError(f"expected how many, or a list of whole numbers, not {written!r}", source="seeds")


def _check_names(names: list[str]) -> None:
    columns: dict[str, str] = {}
    for name in names:
        if column(name) in columns:
            raise ConfigurationError(f"{name!r} and {columns[column(name)]!r} are the same column", source="axes")
        columns[column(name)] = name


def _exclusions(tables: Mapping[str, Any], names: list[str]) -> list[Point]:
    exclusions = _tables(tables.get("exclude", []), "exclude")
    for exclusion in exclusions:
        unknown = exclusion.keys() - set(names)
        if unknown or not exclusion:
            raise ConfigurationError(f"{sorted(unknown)} are no axes; there are {', '.join(names)}", source="exclude")
    return exclusions


def column(name: str) -> str:
    """The column of results that holds an axis: its name, without the dots that Spark reads as nesting."""
    return name.replace(".", "_")


def _cell(experiment: Mapping[str, Any], point: Point, free: set[str], inputs: Inputs) -> Cell:
    values = filled(point, point)
    tables = filled(experiment, values)
    for name, value in values.items():
        if name not in free or name == "seed":
            _set(tables, name, value)
    built = build_experiment(tables, "experiment")
    known = {"tables": tables, "point": point, "inputs": inputs.digests(built), "code": code_version()}
    key = sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:20]
    return Cell(key, point, tables)


def _set(tables: dict[str, Any], dotted: str, value: Any) -> None:
    *above, last = dotted.split(".")
    for name in above:
        tables = _table(tables.setdefault(name, {}), f"axes.{dotted}")
    tables[last] = value
