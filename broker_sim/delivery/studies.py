"""Studies of deliveries: which choices to measure on which workload, read from a TOML file.

A study runs every combination of its lists. `experiments/paper-delivery.toml` holds those of section 6 of "Query
Processing for High-Volume XML Message Brokering" (VLDB 2003), with what the paper's text says about each; the numbers
behind its plots and tables are not in the text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from broker_sim.delivery.delivery import Optimisation
from broker_sim.delivery.plans import Approach
from broker_sim.engines.documents import parse
from broker_sim.engines.outline import Outline
from broker_sim.errors import ConfigurationError
from broker_sim.shipped import shipped
from broker_sim.workload import DocumentParameters, generate_documents
from dtd_ads import Element, Schema, load_schema
from dtd_ads.content import Content, Group, Name


@dataclass(frozen=True, slots=True)
class Workload:
    """One DTD with the parameters of its documents and binding paths."""

    dtd: str
    depth: int
    max_levels: int
    max_repeats: int
    exactly: Mapping[str, str | int]

    def documents(self, number: int, max_value: int, seed: int) -> list[Outline]:
        """Parsed documents in which one child occurs a fixed number of times."""
        schema = load_schema(self.dtd)
        fixed = _with_exactly(
            schema, str(self.exactly["parent"]), str(self.exactly["child"]), int(self.exactly["times"])
        )
        parameters = DocumentParameters(
            number, max_levels=self.max_levels, max_repeats=self.max_repeats, max_value=max_value
        )
        return [Outline(parse(text)) for text in generate_documents(fixed, parameters, seed)]


@dataclass(frozen=True, slots=True)
class Study:
    """Every combination of some choices on one workload."""

    name: str
    workload: Workload
    queries: tuple[int, ...]
    approach: tuple[Approach, ...]
    optimise: tuple[Optimisation, ...]
    sharing: tuple[bool, ...] = (False,)
    predicates: tuple[int, ...] = (1,)
    returns: tuple[int, ...] = (2,)
    max_value: int = 10
    profile: bool = False
    paper: tuple[str, ...] = ()

    def sized(self, most: int) -> Study:
        """The same study with at most so many queries."""
        return replace(self, queries=tuple(sorted({min(one, most) for one in self.queries})))


@dataclass(frozen=True, slots=True)
class Studies:
    """A file of studies: how many documents warm up, how many are measured, and what is studied."""

    description: str
    seed: int
    warm_up: int
    measured: int
    studies: tuple[Study, ...]


def load_studies(path: Path | None = None) -> Studies:
    """The studies of a file, by default those of the paper; raises `ConfigurationError`."""
    file = path or shipped("experiments") / "paper-delivery.toml"
    try:
        spec = tomllib.loads(file.read_text(encoding="utf-8"))
        workloads = {name: Workload(**fields) for name, fields in spec["workloads"].items()}
        studies = tuple(_study(fields, workloads) for fields in spec["studies"])
        return Studies(spec["description"], spec["seed"], **spec["documents"], studies=studies)
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", source=str(file)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"expected TOML: {error}", source=str(file)) from error
    except KeyError as error:
        raise ConfigurationError(f"expected {error} to be given", source=str(file)) from error
    except (TypeError, AttributeError) as error:
        raise ConfigurationError(f"expected the fields of paper-delivery: {error}", source=str(file)) from error


def _study(fields: Mapping[str, Any], workloads: Mapping[str, Workload]) -> Study:
    chosen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Study(**{**chosen, "workload": workloads[fields["workload"]]})


def _with_exactly(schema: Schema, parent: str, child: str, times: int) -> Schema:
    """The schema with `times` children where its content model repeats them."""
    element = schema.elements[parent]
    particle = element.content.particle
    parts = particle.parts if isinstance(particle, Group) else (particle,) if particle is not None else ()
    fixed = [
        one
        for part in parts
        for one in ([Name(child)] * times if isinstance(part, Name) and part.name == child else [part])
    ]
    changed = Element(parent, Content("CHILDREN", Group(",", tuple(fixed))), element.children, element.attributes)
    return Schema(schema.name, schema.root, {**schema.elements, parent: changed})
