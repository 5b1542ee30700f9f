"""The description that the daemon serves, and openapi-spec-validator's judgement of it."""

from __future__ import annotations

import argparse
import json

from openapi_spec_validator import OpenAPIV31SpecValidator

from context import PROJECT, Context
from server import Server


async def run(context: Context, options: argparse.Namespace) -> None:
    server = await Server.start(context)
    served = (await server.client.call("GET", "/openapi.json")).json
    errors = [str(error.message) for error in OpenAPIV31SpecValidator(served).iter_errors()]
    calls = sum(len(item) for item in served["paths"].values())
    context.judge(
        "/openapi.json is valid OpenAPI 3.1", f"{len(errors)} errors in {calls} calls {errors[:3] or ''}".strip(),
        not errors)
    committed = json.loads((PROJECT / "docs" / "schema" / "openapi.json").read_text())
    # The served description also names the version of the program.
    for description in (served, committed):
        description["info"].pop("version", None)
    context.judge(
        "/openapi.json is docs/schema/openapi.json", "equal" if served == committed else "different",
        served == committed)
