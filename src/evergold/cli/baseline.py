"""`evergold baseline`: what later runs are compared with."""

from __future__ import annotations

import click

from evergold.pipeline.baseline import promote_baseline


@click.command("baseline")
def command() -> None:
    """Make the current state the baseline of later runs.

    Copies score, run, labels and the retrieved and labelled chunks of the last run to
    data/baseline. Commit that folder: changing what a release is measured by is a decision that
    somebody should review.
    """
    for line in promote_baseline():
        click.echo(line)
