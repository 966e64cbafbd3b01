"""The `broker-sim` command.

Commands are modules of this package, loaded only when they are called, so that `broker-sim --help` is instant.
Every error in the user's input becomes one line on standard error and its own exit code, here and nowhere else.
"""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import suppress
from typing import Any, Final

import click

from broker_sim import __version__
from broker_sim.errors import InputError, shortened

COMMANDS: Final = {
    "run": "Simulate an overlay under each strategy and say what it costs.",
    "sweep": "Run an experiment over all combinations of its axes, on Spark.",
    "report": "Turn results into one page with charts and a replay.",
    "explain": "Say why a subscription or a document went where it did.",
    "ads": "Compile a DTD into advertisements.",
    "match": "Say which subscriptions documents match.",
    "deliver": "Answer FLWR queries with customised messages.",
    "bench": "Measure engines and deliveries on this machine.",
    "relate": "Decide overlap, covering or merging of expressions.",
    "chunk": "Cut big documents along the prefixes that subscriptions share.",
    "topology": "List, show and generate topologies.",
    "workload": "Generate subscriptions and documents from a DTD.",
}
"""Command name -> one line of help; the command lives in the module of that name, under that name."""


class LazyGroup(click.Group):
    """A group whose commands are imported on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"broker_sim.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, *arguments: Any, **options: Any) -> Any:
        """As click does it; what cannot be read or written, help and version included, is one line on standard error.

        A pipe that nobody reads any more is click's to end.
        """
        try:
            return super().main(*arguments, **options)
        except OSError as error:
            _discard_output()
            place = f"{error.filename}: " if error.filename else ""
            click.echo(f"error: {place}{error.strerror or error}", err=True)
            sys.exit(InputError.exit_code)

    def invoke(self, ctx: click.Context) -> object:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except InputError as error:
            click.echo(f"error: {error}", err=True)
            ctx.exit(error.exit_code)
        except click.UsageError as error:
            raise click.UsageError(shortened(error.format_message()), error.ctx) from error


def _discard_output() -> None:
    """Let go of what could not be written to standard output, or the interpreter would try again at its end."""
    with suppress(OSError):
        sys.stdout.flush()
        return
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="broker-sim")
def main() -> None:
    """A laboratory for content-based XML routing."""


if __name__ == "__main__":
    sys.exit(main())
