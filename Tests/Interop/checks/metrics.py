"""Prometheus scrapes the daemon and evaluates its rules, its Python client parses the metrics, promtool checks them."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from context import PROJECT, Context, Skipped
from origin import Origin, free_port
from processes import ChildProcess
from server import Server

_RULES = PROJECT / "packaging" / "prometheus" / "appgroupd.rules.yml"
_LOOPBACK = "127.0.0.1"


async def run(context: Context, options: argparse.Namespace) -> None:
    for program in ("promtool", "prometheus"):
        if shutil.which(program) is None:
            raise Skipped(f"{program} is missing: scripts/setup interop installs it")
    origin = Origin(context.programs, PROJECT / "fixtures" / "media", context.folder / "origin.log")
    context.stack.callback(origin.kill)
    await origin.ready()
    port = free_port(_LOOPBACK)
    server = await Server.start(
        context, f"fetch: {{allowAddresses: [127.0.0.0/8]}}\nhttp: {{metricsListen: '{_LOOPBACK}:{port}'}}\n")
    await _load(server, origin)
    text = await asyncio.to_thread(_get, f"http://{_LOOPBACK}:{port}/metrics")
    _parse(context, text)
    _lint(context, text)
    await _scrape(context, port)
    run = subprocess.run(
        [PROJECT / "scripts" / "check-monitoring"], capture_output=True, text=True)
    context.judge(
        "rules, their tests and the dashboard are valid", (run.stderr or run.stdout).strip()[:200], run.returncode == 0)


async def _load(server: Server, origin: Origin) -> None:
    """Has the daemon emit texts, a picture, and a fallback."""
    def payload(url: str | None) -> bytes:
        push: dict[str, Any] = {"title": "hi", "body": "with", "fallback": {"body": "without"}}
        return json.dumps(push | {"media": [{"url": url}]} if url else {"aps": {"alert": "hi"}}).encode()

    bodies = [payload(None)] * 20 + [payload(origin.url("photo-small.jpg")), payload(origin.url("missing.jpg"))]
    for body in bodies:
        await server.client.post(body, headers=server.headers)


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def _parse(context: Context, text: str) -> None:
    families = list(text_string_to_metric_families(text))
    samples = {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
               for family in families for sample in family.samples}
    lines = sum(1 for line in text.splitlines() if line and not line.startswith("#"))
    context.judge("prometheus_client parses each line", f"{len(samples)} of {lines} lines", len(samples) == lines)
    bare = [family.name for family in families if not family.documentation]
    context.judge("each metric has a help text", f"without: {bare}" if bare else f"{len(families)} metrics", not bare)
    emitted = sum(value for (name, _), value in samples.items() if name == "appgroupd_notifications_emitted_total")
    context.judge("the results are counted", f"{emitted:.0f} of 22", emitted == 22)
    rich = samples.get(("appgroupd_media_notifications_rich_total", ())), samples.get(
        ("appgroupd_media_notifications_total", ()))
    context.judge("notifications with media are counted", f"{rich[0]:.0f} rich of {rich[1]:.0f}", rich == (1, 2))


def _lint(context: Context, text: str) -> None:
    run = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    findings = (run.stdout + run.stderr).strip()
    context.judge("promtool check metrics is clean", findings[:300] or "no findings", run.returncode == 0)


async def _scrape(context: Context, port: int) -> None:
    own = free_port(_LOOPBACK)
    configuration = context.folder / "prometheus.yml"
    configuration.write_text(json.dumps({
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(_RULES)],
        "scrape_configs": [{
            "job_name": "appgroupd", "static_configs": [{"targets": [f"{_LOOPBACK}:{port}"]}]}]}))
    process = ChildProcess(
        ["prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={context.folder / 'tsdb'}",
         f"--web.listen-address={_LOOPBACK}:{own}"], context.folder / "prometheus.log")
    context.stack.callback(process.kill)
    base = f"http://{_LOOPBACK}:{own}/api/v1"
    total = await _query(base, "sum(appgroupd_notifications_emitted_total)", wanted=22)
    context.judge("prometheus scrapes the daemon", f"{total} results", total == 22)
    # A recording rule has a value after two scrapes.
    late = await _query(base, "count(appgroupd:notification_seconds:p99_rate5m)", wanted=1)
    context.judge("prometheus evaluates the recording rules", f"{late} series", late == 1)
    rules = json.loads(await asyncio.to_thread(_get, f"{base}/rules"))["data"]["groups"]
    bad = [rule["name"] for group in rules for rule in group["rules"] if rule["health"] != "ok"]
    count = sum(len(group["rules"]) for group in rules)
    context.judge("each rule is healthy", f"bad: {bad}" if bad else f"{count} rules", not bad and count > 20)


async def _query(base: str, expression: str, wanted: float) -> float | None:
    """Returns the value of an expression, as soon as it is the wanted one or half a minute has passed."""
    value = None
    for _ in range(300):
        try:
            answer = await asyncio.to_thread(_get, f"{base}/query?{urllib.parse.urlencode({'query': expression})}")
            result = json.loads(answer)["data"]["result"]
            value = float(result[0]["value"][1]) if result else None
        except (urllib.error.URLError, ConnectionError):
            pass
        if value == wanted:
            break
        await asyncio.sleep(0.1)
    return value
