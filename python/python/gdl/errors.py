"""The library's exceptions, and the findings that they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A finding about a rule sheet.

    Lines and columns count from 1; the end is the first character after the finding.
    """

    severity: str
    """`error` or `warning`."""
    code: str
    """A stable name for the kind of finding, such as `unsafe-variable`."""
    message: str
    """What is wrong, on one line."""
    source: str
    """The name of the rule sheet."""
    line: int
    column: int
    end_line: int
    end_column: int
    label: str
    """A note shown at the location; may be empty."""
    notes: Sequence[str]
    """Explanations."""
    fix: str | None
    """What the author most likely meant instead."""


class GdlError(Exception):
    """An error of the library. Its text is what the command line would print."""

    findings: tuple[Finding, ...]
    """What is wrong with a rule sheet; empty if the error is about something else."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = tuple(findings)
