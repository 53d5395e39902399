"""The report as one HTML page that needs no other file: it can be mailed, printed, and kept."""

from __future__ import annotations

import base64
import time
from html import escape

from holecard import __version__

from ..picture import Picture
from ..text import printable
from .report import Report
from .suite import FAILED, PASSED, SKIPPED, Measurement, Result

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
.facts td{padding:2px 16px 2px 0;border:0}.facts td:first-child{color:var(--soft)}
.facts table,.facts{background:none;border:0;width:auto;margin:16px 0 0}
.sums{display:flex;flex-wrap:wrap;gap:16px;margin:24px 0 0}
.sums div{flex:1 1 150px;background:#fff;border:1px solid var(--line);border-top:3px solid var(--good);
padding:10px 16px;font-size:13px;color:var(--soft)}
.sums b{display:block;font-size:24px;line-height:1.3;color:var(--ink)}
.sums div.failed{border-top-color:var(--bad);font-weight:400}.sums div.skipped{border-top-color:var(--dim)}
table{width:100%;border-collapse:collapse;background:#fff;border:1px solid var(--line)}
th,td{text-align:left;padding:6px 10px;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:13px}
th.n{text-align:right}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.passed{color:var(--good)}.failed,.error{color:var(--bad);font-weight:600}.skipped{color:var(--dim)}
h1+.verdict{color:#fff}
tr.check td{background:#eef2f6;font-weight:600}
.why{color:var(--bad);overflow-wrap:anywhere}.detail{color:var(--soft);font-size:13px;overflow-wrap:anywhere}
.bar{position:relative;height:8px;width:96px;background:var(--line);border-radius:4px;margin-top:8px}
.bar i{position:absolute;left:0;top:0;bottom:0;border-radius:4px;background:var(--good)}
.bar i.failed{background:var(--bad)}
figure{display:inline-block;width:332px;margin:0 10px 14px 0;background:#fff;border:1px solid var(--line);padding:8px}
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
    }
    bad = [result for result in report.results if result.outcome in ("failed", "error")]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>Acceptance of {_text(report.url)}</title><style>{_STYLE}</style><main>",
        f"<header><h1>Acceptance of a Holecard table</h1><span class='verdict {outcome}'>{outcome}</span></header>",
        "<table class=facts>"
        + "".join(f"<tr><td>{name}<td>{_text(value)}" for name, value in facts.items())
        + f"</table>{_sums(report)}",
    ]
    if report.stopped:
        parts.append(f"<p class=why>The run was stopped: {_text(report.stopped)}. What follows is what had run.</p>")
    if bad:
        rows = "".join(f"<tr><td class={r.outcome}>{r.check}</td><td class=why>{_text(r.why)}</td></tr>" for r in bad)
        parts.append(f"<h2>What is wrong</h2><table>{rows}</table>")
    parts.append("<h2>Measurements</h2><table><tr><th>name<th>what<th class=n>measured<th class=n>limit<th>used</tr>")
    for result in report.results:
        parts += [_check(report, result), *map(_measurement, result.measurements)]
    parts.append("</table>")
    if report.missing:
        parts.append(f"<p class=detail>Not measured here: {_text(', '.join(report.missing))}.</p>")
    screens = [
        _screen(title, picture) for result in report.results if not result.turn for title, picture in result.screens
    ]
    if screens:
        parts.append(f"<h2>Screens</h2><div>{''.join(screens)}</div>")
    parts.append(
        f'<footer>holecard accept {_text(__version__)}. A value at its limit keeps it; "used" is how much of what is'
        " allowed was used.</footer></main></html>"
    )
    return "\n".join(parts)


def _text(value: str) -> str:
    return escape(printable(" ".join(value.split())))


def _sums(report: Report) -> str:
    """The whole run in four numbers."""
    found = [one for result in report.results for one in result.measurements]
    beyond = sum(one.outcome == FAILED for one in found)
    passed = sum(result.outcome == PASSED for result in report.results)
    all_passed = passed == len(report.results) and not report.stopped
    tiles = [
        (PASSED if all_passed else FAILED, f"{passed} of {len(report.results)}", "checks passed"),
        (FAILED if beyond else PASSED, f"{len(found) - beyond} of {len(found)}", "measurements within their limits"),
        (SKIPPED if report.missing else PASSED, f"{len(report.missing)}", "not measured on this stand"),
        (PASSED, f"{sum(result.seconds for result in report.results):.1f} s", "of testing"),
    ]
    return (
        "<div class=sums>"
        + "".join(f"<div class={kind}><b>{value}</b>{what}</div>" for kind, value, what in tiles)
        + "</div>"
    )


def _check(report: Report, result: Result) -> str:
    turn = f" (seed {report.seed + result.turn})" if report.repeat > 1 else ""
    why = f"<div class=detail>{_text(result.why)}</div>" if result.outcome == SKIPPED else ""
    return (
        f"<tr class=check><td>{result.check}{turn}<td>{_text(result.title)}{why}<td class='n {result.outcome}'>"
        f"{result.outcome}<td class='n detail'>{result.seconds:.1f} s<td></tr>"
    )


def _measurement(one: Measurement) -> str:
    share, bar = one.limit.used(one.value), ""
    if share is not None:
        width = min(max(100 * share, 1), 100)
        bar = f"<div class=bar><i class={one.outcome} style='width:{width:.0f}%'></i></div>"
    detail = f"<div class=detail>{_text(one.detail)}</div>" if one.detail else ""
    return (
        f"<tr><td>{_text(one.name)}<td>{_text(one.limit.what)}{detail}<td class='n {one.outcome}'>"
        f"{_text(one.limit.shown(one.value))}<td class=n>{_text(str(one.limit))}<td>{bar}</tr>"
    )


def _screen(title: str, picture: Picture) -> str:
    data = base64.b64encode(picture.to_png(3)).decode()
    return (
        f"<figure><img alt='{_text(title)}' src='data:image/png;base64,{data}'>"
        f"<figcaption>{_text(title)}</figcaption></figure>"
    )
