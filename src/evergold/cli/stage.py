"""`evergold stage`: run one stage of the pipeline."""

from __future__ import annotations

import click

from evergold.pipeline.stage import STAGES, run_stage


@click.command("stage")
@click.argument("name", type=click.Choice(STAGES))
def command(name: str) -> int:
    """Run one stage of the pipeline in this project folder.

    In a clone of the template DVC runs `python src/stage.py NAME` instead, so that queued
    experiments run their own copy of the code.
    """
    return run_stage([name])
