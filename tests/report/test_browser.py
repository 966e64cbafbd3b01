"""The page in a real browser, on a screen and on a phone: it loads, plays, steps, selects, sorts, and says no error."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from broker_sim.report import read_results
from tests.report.conftest import HOSTILE, SCREENSHOTS

SIZES = {"screen": (1280, 720), "phone": (390, 844)}
Open = Callable[[Path], Any]


@pytest.fixture(params=SIZES)
def opened(browser: Any, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens pages at one of the sizes; whatever a page says on the console fails the test."""
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True)
    complaints: list[str] = []

    def open_page(file: Path) -> Any:
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: asked.url.startswith("file:") or complaints.append(asked.url))
        page.goto(file.as_uri())
        page.wait_for_selector("#rows table")
        return page

    yield open_page
    name = request.node.name.replace("[", "-").replace("]", "")
    for page in context.pages:
        page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page="loads" in name)
    context.close()
    assert complaints == []


@pytest.fixture
def replay(opened: Open, small_page: Path) -> Any:
    page = opened(small_page)
    page.wait_for_selector("#replay[data-ready='with-adv-with-cov']")
    return page


def test_it_loads_and_fits(opened: Open, small_page: Path) -> None:
    page = opened(small_page)
    assert page.title() == "paper-traffic: broker-sim report"
    answers = page.locator("#answers li").all_inner_texts()
    assert len(answers) == 2
    assert all("promise kept" in answer and "0 missed, 0 unwanted" in answer for answer in answers)
    assert page.locator("figure svg").count() == page.locator("figure").count() >= 4
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_it_plays_and_pauses(replay: Any) -> None:
    before = float(replay.input_value("#moment"))
    replay.click("#play")
    assert replay.get_attribute("#play", "aria-label") == "Pause"
    replay.wait_for_function("before => Number(document.querySelector('#moment').value) > before", arg=before)
    replay.click("#play")
    assert replay.get_attribute("#play", "aria-label") == "Play"
    stopped = replay.input_value("#moment")
    assert "under way" in replay.inner_text("#live")
    replay.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert replay.input_value("#moment") == stopped


def test_it_draws_what_moves(replay: Any) -> None:
    picture = "document.querySelector('#overlay').toDataURL()"
    at_rest = replay.evaluate(picture)
    replay.click("#forward")
    replay.click("#forward")
    assert replay.evaluate(picture) != at_rest


def test_it_steps_forward_and_back(replay: Any) -> None:
    replay.click("#forward")
    first = replay.inner_text("#live")
    assert "advertise /" in first
    assert "from publisher-1 to 1. And 88 more at the same moment." in first
    replay.click("#forward")
    second = replay.inner_text("#live")
    assert "from 1 to 2. And 1 more at the same moment." in second
    replay.click("#back")
    assert replay.inner_text("#live") == first
    replay.click("#back")
    assert replay.inner_text("#live") == "This is the beginning."


def test_the_keyboard_does_it_all(replay: Any) -> None:
    replay.focus("#overlay")
    replay.keyboard.press("ArrowRight")
    assert "advertise /" in replay.inner_text("#live")
    replay.keyboard.press("ArrowDown")
    assert replay.inner_text("#details h3") == "Broker 1"
    replay.keyboard.press("Escape")
    assert replay.inner_text("#details h3") == "Nothing selected"
    replay.keyboard.press("Space")
    assert replay.get_attribute("#play", "aria-label") == "Pause"
    replay.keyboard.press("Space")


def test_a_broker_tells_its_tables_and_why(replay: Any) -> None:
    replay.select_option("#broker", label="3")
    details = replay.inner_text("#details")
    assert "Broker 3" in details
    assert "to 1: forwarded, overlaps /ProteinDatabase" in details
    assert "nothing advertised from there overlaps it" in details
    assert replay.inner_text("#live").startswith("Broker 3: ")


def test_a_broker_can_be_clicked(replay: Any) -> None:
    replay.locator("#overlay").scroll_into_view_if_needed()
    x, y, broker = replay.evaluate(
        """() => {
            const canvas = document.querySelector("#overlay");
            const box = canvas.getBoundingClientRect();
            for (let y = box.top + 4; y < box.bottom; y += 6) {
                for (let x = box.left + 4; x < box.right; x += 6) {
                    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y }));
                    if (canvas.title) return [x, y, canvas.title.split(":")[0]];
                }
            }
        }"""
    )
    replay.mouse.click(x, y)
    assert replay.inner_text("#details h3") == broker


def test_a_document_shows_its_delivery_tree(replay: Any) -> None:
    plain = replay.evaluate("document.querySelector('#overlay').toDataURL()")
    replay.select_option("#document", label="document 0")
    details = replay.inner_text("#details")
    assert "publisher-1 → 1" in details
    assert "because of" in details
    assert replay.evaluate("document.querySelector('#overlay').toDataURL()") != plain


def test_another_strategy_can_be_chosen(replay: Any) -> None:
    replay.select_option("#strategy", label="no-adv-no-cov")
    replay.wait_for_selector("#replay[data-ready='no-adv-no-cov']")
    replay.click("#forward")
    assert "subscribe" in replay.inner_text("#live")
    assert "advertise" not in replay.inner_text("#sampling")


def test_rows_sort_both_ways(replay: Any) -> None:
    def column() -> list[int]:
        cells = replay.locator("#rows tbody tr td:nth-child(4)").all_inner_texts()
        return [int(text.replace(",", "")) for text in cells]

    button = replay.get_by_role("button", name="messages received")
    button.click()
    assert column() == sorted(column(), reverse=True)
    assert replay.locator("#rows th[aria-sort=descending]").count() == 1
    button.click()
    assert column() == sorted(column())
    assert replay.locator("#rows th[aria-sort=ascending]").count() == 1
    replay.get_by_role("button", name="Brokers", exact=True).click()
    replay.wait_for_selector("#rows tbody tr:nth-child(16)")


def test_rows_download_as_csv(replay: Any) -> None:
    with replay.expect_download() as waiting:
        replay.click("#download")
    with open(waiting.value.path(), newline="") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    assert [row["strategy"] for row in rows] == ["no-adv-no-cov", "with-adv-with-cov"]
    assert waiting.value.suggested_filename == "summary.csv"


def test_charts_tell_values_and_have_tables(replay: Any) -> None:
    figure = replay.locator("figure").first
    figure.locator(".bar").first.hover()
    assert "subscribe" in figure.locator(".tip").inner_text()
    figure.locator("summary").click()
    assert figure.locator("table").is_visible()
    assert figure.locator("svg").get_attribute("aria-label").startswith("Messages received: no-adv-no-cov")


def test_light_and_dark(replay: Any) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = replay.evaluate(background)
    replay.click("#theme")
    assert replay.evaluate(background) != light
    replay.click("#theme")
    assert replay.evaluate(background) == light


def test_everything_to_operate_has_a_name(replay: Any) -> None:
    nameless = replay.evaluate(
        """[...document.querySelectorAll("button, select, input, canvas, [role=region]")].filter((each) =>
            !each.getAttribute("aria-label") && !each.textContent.trim() && !(each.labels && each.labels.length))
            .map((each) => each.outerHTML)"""
    )
    assert nameless == []


def test_hostile_names_are_only_text(opened: Open, hostile_page: Path) -> None:
    page = opened(hostile_page)
    page.wait_for_selector("#replay[data-ready]")
    assert page.inner_text("#description") == HOSTILE
    page.select_option("#broker", index=1)
    page.select_option("#document", index=1)
    for _ in range(4):
        page.click("#forward")
    page.get_by_role("button", name="Brokers", exact=True).click()
    page.wait_for_selector("#rows tbody td:has-text('onerror')")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


def steps_of(page: Any, kind: str) -> list[str]:
    """What is said at each step when only messages of one kind are shown, and nothing else of a kind is."""
    for box in page.locator("#replay .legend label").all():
        box.locator("input").set_checked(box.inner_text().strip() == kind)
    page.eval_on_selector("#moment", "slider => { slider.value = 0; slider.dispatchEvent(new Event('input')); }")
    return page.evaluate(
        """() => {
            const found = [];
            const said = () => document.querySelector("#live").textContent;
            for (;;) {
                document.querySelector("#forward").click();
                if (said() === "This is the end.") return found;
                found.push(said());
            }
        }"""
    )


def test_churn_is_replayed(opened: Open, churn_page: Path, churn_results: Path) -> None:
    page = opened(churn_page)
    page.wait_for_selector("#replay[data-ready]")
    assert "Nothing is left out." in page.inner_text("#sampling")
    rows = read_results(churn_results).recordings["with-adv-with-cov"].trace
    for kind in ("unsubscribe", "unadvertise"):
        told = steps_of(page, kind)
        assert len(told) == len({round(row["arrived"] * 1e6) for row in rows if row["kind"] == kind})
        assert all(f": {kind} " in step for step in told)
        assert any(f"from {name}-" in step for step in told for name in ("subscriber", "publisher"))
    told = steps_of(page, "notify")
    assert len(told) == len({round(row["arrived"] * 1e6) for row in rows if row["kind"] == "notify"})
    assert page.locator("#answers li").inner_text().count("window of") == 1


def test_clients_that_move_are_told_where_they_are(opened: Open, churn_page: Path) -> None:
    page = opened(churn_page)
    page.wait_for_selector("#replay[data-ready]")
    page.select_option("#broker", label="5")
    assert "subscriber-2 (from 1.113 s after the first document)" in page.inner_text("#details")
    page.select_option("#document", label="document 1")
    assert "Its publisher had left by the end of the run" in page.inner_text("#details")
    page.select_option("#document", label="document 0")
    assert "Reasons are read from the tables" in page.inner_text("#details")
