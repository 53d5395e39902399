"""The report as one HTML page that needs no other file: it can be mailed, printed, and kept."""

from __future__ import annotations

import base64
import io
import time
from html import escape

from holecard import __version__

from ..picture import Picture
from ..text import printable
from .report import Report
from .suite import Measurement, Result

_STYLE = """
:root{--ink:#1b2430;--soft:#5d6b7c;--line:#dde3ea;--back:#f5f7fa;--good:#1d7f4e;--bad:#c22f2f;--dim:#8a6d1b}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:0}
main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
header{display:flex;flex-wrap:wrap;gap:8px 32px;align-items:baseline;border-bottom:3px solid var(--ink);
padding-bottom:16px}
h1{font-size:28px;margin:0;flex:1 1 auto}
h2{font-size:18px;margin:36px 0 10px}
.verdict{font-size:20px;font-weight:700;padding:2px 14px;border-radius:4px;color:#fff;background:var(--bad)}
.verdict.passed{background:var(--good)}.verdict.skipped{background:var(--dim)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:16px 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;background:#fff;border:1px solid var(--line)}
th,td{text-align:left;padding:6px 10px;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:13px}
th.n{text-align:right}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.passed{color:var(--good)}.failed,.error{color:var(--bad);font-weight:600}.skipped{color:var(--dim)}
h1+.verdict{color:#fff}
.why{color:var(--bad);overflow-wrap:anywhere}.detail{color:var(--soft);font-size:13px;overflow-wrap:anywhere}
.bar{position:relative;height:8px;width:120px;background:var(--line);border-radius:4px;margin-top:8px}
.bar i{position:absolute;left:0;top:0;bottom:0;border-radius:4px;background:var(--good)}
.bar i.failed{background:var(--bad)}
.screens{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:16px}
figure{margin:0;background:#fff;border:1px solid var(--line);padding:8px}
figure img{width:100%;display:block;image-rendering:pixelated}
figcaption{font-size:13px;color:var(--soft);padding-top:6px}
footer{margin-top:40px;color:var(--soft);font-size:13px}
@media print{body{background:#fff}figure,tr{break-inside:avoid}}
"""


def page(report: Report) -> str:
    """The page as text."""
    outcome = report.outcome
    facts = {
        "Table": report.identity,
        "Where": report.url,
        "Stand": ", ".join(sorted(report.capabilities)),
        "When": time.strftime("%Y-%m-%d %H:%M", time.localtime(report.began)),
        "Seed": f"{report.seed}" + (f", {report.repeat} times" if report.repeat > 1 else ""),
        "Took": f"{sum(result.seconds for result in report.results):.1f} s",
    }
    bad = [result for result in report.results if result.outcome in ("failed", "error")]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>Acceptance of {_text(report.url)}</title><style>{_STYLE}</style><main>",
        f"<header><h1>Acceptance of a Holecard table</h1><span class='verdict {outcome}'>{outcome}</span></header>",
        "<dl>" + "".join(f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in facts.items()) + "</dl>",
    ]
    if report.stopped:
        parts.append(f"<p class=why>The run was stopped: {_text(report.stopped)}. What follows is what had run.</p>")
    if bad:
        rows = "".join(f"<tr><td class={r.outcome}>{r.check}</td><td class=why>{_text(r.why)}</td></tr>" for r in bad)
        parts.append(f"<h2>What is wrong</h2><table>{rows}</table>")
    parts.append("<h2>Checks</h2><table><tr><th>check<th>what<th>result<th class=n>seconds</tr>")
    parts += [_check(report, result) for result in report.results]
    parts.append(
        "</table><h2>Measurements</h2><table><tr><th>name<th>what<th class=n>measured<th class=n>limit<th></tr>"
    )
    parts += [_measurement(one) for result in report.results for one in result.measurements]
    parts.append("</table>")
    screens = [
        _screen(title, picture) for result in report.results if not result.turn for title, picture in result.screens
    ]
    if screens:
        parts.append(f"<h2>Screens</h2><div class=screens>{''.join(screens)}</div>")
    parts.append(f"<footer>holecard accept {_text(__version__)}. Limits belong to their range.</footer></main></html>")
    return "\n".join(parts)


def _text(value: str) -> str:
    return escape(printable(" ".join(value.split())))


def _check(report: Report, result: Result) -> str:
    turn = f" (seed {report.seed + result.turn})" if report.repeat > 1 else ""
    why = f"<div class=detail>{_text(result.why)}</div>" if result.outcome == "skipped" else ""
    return (
        f"<tr><td>{result.check}{turn}<td>{_text(result.title)}{why}<td class={result.outcome}>{result.outcome}"
        f"<td class=n>{result.seconds:.2f}</tr>"
    )


def _measurement(one: Measurement) -> str:
    unit = f" {one.limit.unit}" if one.limit.unit else ""
    bar = ""
    if one.limit.high and one.limit.low is None:
        # How much of what is allowed was used.
        share = min(max(100 * one.value / one.limit.high, 1), 100)
        bar = f"<div class=bar><i class={one.outcome} style='width:{share:.0f}%'></i></div>"
    detail = f"<div class=detail>{_text(one.detail)}</div>" if one.detail else ""
    return (
        f"<tr><td>{_text(one.name)}<td>{_text(one.limit.what)}{detail}<td class='n {one.outcome}'>"
        f"{one.value:.5g}{escape(unit)}<td class=n>{_text(str(one.limit))}<td>{bar}</tr>"
    )


def _screen(title: str, picture: Picture) -> str:
    file = io.BytesIO()
    picture.save_png(file, 3)
    data = base64.b64encode(file.getvalue()).decode()
    return (
        f"<figure><img alt='{_text(title)}' src='data:image/png;base64,{data}'>"
        f"<figcaption>{_text(title)}</figcaption></figure>"
    )
