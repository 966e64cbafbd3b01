"""For everybody: axe-core finds nothing in either theme at either size, and the keyboard reaches every control."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from broker_sim.report.palette import DARK, LEVELS, LIGHT, SERIES
from broker_sim.routing import KINDS
from tests.report.test_browser import SIZES

CONTROLS = "a[href], button, select, input, summary, [tabindex='0']"
VISIBLE = "(each) => each.checkVisibility() && each.getBoundingClientRect().width > 0"


def opened(browser: Any, file: Path, size: str, theme: str, **options: bool) -> Any:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, **options)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_selector("#rows table")
    page.wait_for_selector("#replay[data-ready]")
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", ["at first", "a broker", "a document"])
def test_axe_finds_nothing(browser: Any, churn_page: Path, size: str, theme: str, state: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the extra dev: axe-playwright")
    # The page's policy runs no script but its own; axe is one.
    page = opened(browser, churn_page, size, theme, bypass_csp=True)
    if state == "a broker":
        page.select_option("#broker", index=3)
        page.click("#forward")
    elif state == "a document":
        page.select_option("#document", index=2)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = axe.Axe().run(page).response["violations"]
    page.context.close()
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


@pytest.mark.parametrize("size", SIZES)
def test_the_keyboard_reaches_every_control_and_shows_where_it_is(browser: Any, small_page: Path, size: str) -> None:
    page = opened(browser, small_page, size, "light")
    controls = page.evaluate(f"[...document.querySelectorAll({CONTROLS!r})].filter({VISIBLE}).length")
    assert controls > 30
    page.evaluate("window.reached = new Set(), window.unmarked = []")
    for _ in range(controls):
        page.keyboard.press("Tab")
        page.evaluate(
            """() => {
                const each = document.activeElement;
                reached.add(each);
                const { outlineStyle, outlineWidth } = getComputedStyle(each);
                if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) unmarked.push(each.outerHTML);
            }"""
        )
    missed = page.evaluate(
        f"""[...document.querySelectorAll({CONTROLS!r})].filter({VISIBLE}).filter((each) => !reached.has(each))
            .map((each) => each.outerHTML.slice(0, 120))"""
    )
    unmarked = page.evaluate("unmarked")
    page.context.close()
    assert missed == []
    assert unmarked == []


@pytest.mark.parametrize("size", SIZES)
def test_the_whole_page_by_keyboard_alone(browser: Any, small_page: Path, size: str) -> None:
    page = opened(browser, small_page, size, "light")

    def go_to(selector: str) -> None:
        for _ in range(200):
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"the keyboard does not come to {selector}")

    go_to("#theme")
    page.keyboard.press("Enter")
    assert page.inner_text("#theme") == "Light"
    go_to("#strategy")
    page.keyboard.type("no-adv")
    page.wait_for_selector("#replay[data-ready='no-adv-no-cov']")
    go_to("#broker")
    page.keyboard.type("3")
    assert page.inner_text("#details h3") == "Broker 3"
    go_to("#play")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    go_to("#forward")
    page.keyboard.press("Enter")
    assert "subscribe /" in page.inner_text("#live")
    go_to("#moment")
    page.keyboard.press("End")
    assert float(page.input_value("#moment")) > 0
    go_to("#replay .legend input")
    page.keyboard.press("Space")
    assert not page.locator("#replay .legend input").first.is_checked()
    go_to("figure summary")
    page.keyboard.press("Enter")
    assert page.locator("figure table").first.is_visible()
    go_to("#rows th:nth-child(4) button")
    page.keyboard.press("Enter")
    assert page.locator("#rows th[aria-sort]").count() == 1
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "descending"
    page.context.close()


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_drawn_stands_out(theme: dict[str, str]) -> None:
    """The names of brokers on a canvas, which axe cannot see, and what moves or stands on the panel."""
    for place, level in enumerate(LEVELS):
        assert contrast(theme["panel" if place >= len(LEVELS) / 2 else "ink"], theme[level]) >= 4.5
    for name in (*SERIES, *KINDS, "notify", "reliability", "accent"):
        assert contrast(theme[name], theme["panel"]) >= 3
