"""The relational engine on record: `python experiments/benchmarks/relational.py paper|million|batch`.

`paper` runs `experiments/paper-relational.toml` and writes its tables and the picture beside it. `million` loads a
million subscriptions into a DuckDB file with one GiB of memory and matches a document, checked against the lazy
automaton. `batch` matches 1,000 documents against 10,000 subscriptions in one pass of Spark SQL, and again with
DuckDB. Each writes its part of `results/`, with the environment it was measured in.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from broker_sim.engines import create_engine
from broker_sim.engines.relational import Relational
from broker_sim.engines.relational.study import load_spec, run, table
from broker_sim.engines.relational.study_plot import draw
from broker_sim.spark import spark_session
from broker_sim.workload import DocumentParameters, XPathParameters, generate_documents, generate_xpaths
from dtd_ads import load_schema

RESULTS = Path(__file__).parent / "results"
QUERIES = {"branching": 0.3, "wildcard": 0.1, "descendant": 0.2, "max_length": 10}


def paper() -> str:
    spec = load_spec()
    rows = list(run(spec))
    draw(rows, RESULTS / "relational.svg")
    return f"{spec.description}. DuckDB in memory; the least of {spec.repeat} runs.\n\n{table(rows)}"


def million(number: int, size: int = 15_000) -> str:
    schema = load_schema("astro")
    parameters = XPathParameters(number=number, distinct=False, **QUERIES)
    document = next(generate_documents(schema, DocumentParameters(number=1, size=size), 1))
    with TemporaryDirectory() as folder:
        options = {"location": str(Path(folder) / "store.duckdb"), "memory": "1GiB"}
        with Relational(**options) as engine:
            loading = seconds(lambda: engine.add_all(enumerate(generate_xpaths(schema, parameters, 1))))
        megabytes = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        with Relational(**options) as engine:
            answers = []
            matching = [seconds(lambda: answers.append(engine.match(document))) for _ in range(3)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    referee = create_engine("lazy-dfa")
    for id, path in enumerate(generate_xpaths(schema, parameters, 1)):
        referee.add(id, path)
    right = all(answer == referee.match(document) for answer in answers)
    return (
        f"{number:,} subscriptions in a file of DuckDB, memory limit 1 GiB; a document of {len(document):,} bytes.\n\n"
        f"| load s | file MB | match s | fastest s | matches | as the lazy automaton | peak of the process MiB |\n"
        f"|--:|--:|--:|--:|--:|---|--:|\n"
        f"| {loading:.0f} | {megabytes:.0f} | {matching[0]:.1f} | {min(matching):.1f} | {len(answers[0]):,} | "
        f"{'yes' if right else 'NO'} | {peak:,.0f} |\n"
    )


def batch(documents: int, subscriptions: int, size: int = 3_000) -> str:
    schema = load_schema("astro")
    paths = list(generate_xpaths(schema, XPathParameters(number=subscriptions, predicates=1, **QUERIES), 1))
    texts = list(generate_documents(schema, DocumentParameters(number=documents, size=size), 1))
    spark_session("local[*]", config={"spark.driver.memory": "4g"})
    lines, answers = [], []
    for database in ("spark", "duckdb"):
        with Relational(database) as engine:
            engine.add_all(enumerate(paths))
            taken = seconds(lambda: answers.append(list(engine.match_all(texts))))
        rows = sum(map(len, answers[-1]))
        lines.append(f"| {database} | {rows:,} | {taken:.1f} | {taken / documents * 1e3:.1f} |")
        print(lines[-1], flush=True)
    average = sum(map(len, texts)) / documents
    return (
        f"{documents:,} documents of {average:,.0f} bytes on average x {subscriptions:,} subscriptions with one value "
        f"test each; Spark takes them in one pass, DuckDB a few at a time. The rows are "
        f"{'the same' if answers[0] == answers[1] else 'DIFFERENT'}.\n\n"
        "| database | rows | s | ms a document |\n|---|--:|--:|--:|\n" + "\n".join(lines) + "\n"
    )


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("part", choices=("paper", "million", "batch"))
    options.add_argument("--documents", type=int, default=1_000)
    options.add_argument("--subscriptions", type=int)
    chosen = options.parse_args()
    RESULTS.mkdir(exist_ok=True)
    if chosen.part == "paper":
        text = paper()
    elif chosen.part == "million":
        text = million(chosen.subscriptions or 1_000_000)
    else:
        text = batch(chosen.documents, chosen.subscriptions or 10_000)
    machine = f"Python {platform.python_version()}, {platform.system()} on {platform.machine()}, {os.cpu_count()} cores"
    load = f"other work on the machine: load {os.getloadavg()[0]:.0f} at the end"
    text = f"# The relational engine: {chosen.part}\n\n{machine}; {load}. Seconds on the clock.\n\n{text}"
    print(text)
    (RESULTS / f"relational-{chosen.part}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
