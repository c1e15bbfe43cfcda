"""Following a passage through an edit: each reason to follow it, and each reason not to."""

from __future__ import annotations

import pytest

from evergold.labels.follow import NewText, Place

BEFORE = "Invoices are sent by mail on the first working day of each month."
QUOTE = "Annual plans are refunded in full within 30 days of the payment."
AFTER = "Monthly plans end with the month that has been paid for already."
FAR = "Nothing in this page applies to plans that were bought from partners."
OLD = f"{BEFORE} {QUOTE} {AFTER} {FAR}"


def follow(old: str, new: str, quote: str = QUOTE, *, whole: bool = True) -> Place | str:
    """Return where the first `quote` of the old text stands in the new one."""
    start = old.index(quote)
    return NewText(new).since(old, whole=whole).follow((start, start + len(quote)))


def place(new: str, quote: str = QUOTE, *, moved: bool = False) -> Place:
    """Return the place of the only `quote` in a text."""
    assert 1 == new.count(quote)
    start = new.index(quote)
    return Place((start, start + len(quote)), moved)


@pytest.mark.parametrize(
    "new",
    [
        f"A new first line.\n\n{OLD}",
        OLD.replace(FAR, "All of this applies to partners, too."),
        OLD.replace(BEFORE, "Invoices come by carrier pigeon."),
        OLD.replace(AFTER, "Monthly plans can be ended on any day."),
        OLD.replace(f"{BEFORE} ", ""),
        OLD.replace(f" {AFTER} {FAR}", ""),
        OLD.replace(AFTER, f"A sentence was put in between. {AFTER}"),
        OLD.replace(" ", "\n"),
    ],
    ids=["ahead", "far", "before", "after", "first", "last", "between", "reflow"],
)
def test_a_sentence_with_one_side_unchanged_is_followed(new: str) -> None:
    """The same words in the same order, one neighbour as it was: the same sentence."""
    quote = QUOTE.replace(" ", "\n") if QUOTE not in new else QUOTE
    assert place(new, quote) == follow(OLD, new)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((QUOTE, QUOTE.replace("30", "14")), "EDITED"),
        ((QUOTE, QUOTE.replace("are", "are not")), "EDITED"),
        ((QUOTE, QUOTE.lower()), "EDITED"),
        ((f"{QUOTE} ", ""), "EDITED"),
        ((QUOTE, f"It is no longer true that: {QUOTE}"), "CONTEXT_CHANGED"),
        ((QUOTE, QUOTE.replace("payment.", "payment, if you ask us.")), "EDITED"),
    ],
    ids=["number", "negation", "case", "deleted", "taken-back", "condition"],
)
def test_a_changed_sentence_is_not_followed(change: tuple[str, str], reason: str) -> None:
    """One other word, or other words in the same sentence, and a person has to look."""
    assert reason == follow(OLD, OLD.replace(*change))


def test_a_part_of_a_sentence_stands_and_falls_with_it() -> None:
    """Words may be the same while the sentence around them says something else."""
    quote = "within 30 days"
    new = f"A new first line.\n\n{OLD}"
    assert place(new, quote) == follow(OLD, new, quote)
    for changed in ("refunded in part", "not refunded in full"):
        assert "CONTEXT_CHANGED" == follow(OLD, OLD.replace("refunded in full", changed), quote)
    later = OLD.replace("of the payment.", "of the payment, at a fee.")
    assert "CONTEXT_CHANGED" == follow(OLD, later, quote)


def test_a_passage_does_not_begin_inside_a_number() -> None:
    """What was "5 days" is not the end of "1.5 days", whatever stands around it."""
    old = f"{BEFORE}\n\n5 days are the longest that any of these orders has ever taken.\n\n{AFTER}"
    quote = "5 days are the longest that any of these orders has ever taken."
    assert "EDITED" == follow(old, old.replace("5 days", "1.5 days"), quote)
    assert "EDITED" == follow(old, old.replace("5 days", "15 days"), quote)
    assert "EDITED" == follow(old, old.replace("5 days", "-5 days"), quote)


def test_a_sentence_whose_neighbours_both_changed_is_not_followed() -> None:
    """Nothing shows that it is the old sentence and not a copy that was put in."""
    new = f"Invoices come by carrier pigeon. {QUOTE} Monthly plans can end on any day. {FAR}"
    assert "CONTEXT_CHANGED" == follow(OLD, new)


def test_a_copy_elsewhere_is_not_the_sentence() -> None:
    """The sentence was taken out, and the same words stand at another place."""
    new = f"{BEFORE} {AFTER} {FAR} We used to say: so be it. {QUOTE} That was long ago."
    assert "CONTEXT_CHANGED" == follow(OLD, new)


def test_of_two_copies_each_is_followed_by_what_stands_around_it() -> None:
    """A sentence that stands twice in both texts is told apart by its neighbours."""
    section = "Here begins another section that is about partners and resellers only."
    ending = "With that the page about partners and resellers has come to its end."
    old = f"{OLD}\n\n{section} {QUOTE} {ending}"
    new = f"A new first line.\n\n{old}"
    edition = NewText(new).since(old)
    for start in (old.index(QUOTE), old.rindex(QUOTE)):
        found = edition.follow((start, start + len(QUOTE)))
        assert Place((start + 19, start + 19 + len(QUOTE)), False) == found


def test_a_copy_that_is_left_is_not_the_one_that_went() -> None:
    """Of two copies one was deleted: its label does not go to the other."""
    section = "Here begins another section that is about partners and resellers only."
    old = f"{OLD}\n\n{section} {QUOTE} It ends here."
    new = old.replace(f"{QUOTE} {AFTER}", AFTER)
    assert 1 == new.count(QUOTE)
    assert "EDITED" == follow(old, new)


def test_two_copies_side_by_side_are_not_told_apart() -> None:
    """Which of the two was judged cannot be seen where both have the same neighbours."""
    new = OLD.replace(QUOTE, f"{QUOTE} {QUOTE}")
    assert "COPIES" == follow(OLD, new)
    assert "COPIES" == follow(OLD.replace(QUOTE, f"{QUOTE} {QUOTE}"), OLD)


def test_a_block_that_moved_takes_its_sentences_along() -> None:
    """Out of the old order, but with its neighbour: MOVED."""
    rest = "Gift cards are another matter and have a page with rules of their own."
    stays = f"{rest} {FAR} All of it is said again at the end of each of the other pages."
    old, new = f"{stays}\n\n{BEFORE} {QUOTE}", f"{BEFORE} {QUOTE}\n\n{stays}"
    found = [follow(old, new, sentence) for sentence in (QUOTE, rest)]
    assert [True, False] == [each.moved for each in found if isinstance(each, Place)]
    assert place(new, moved=True) == found[0]


def test_a_sentence_that_moved_alone_is_not_followed() -> None:
    """Nothing moved along that could vouch for it."""
    new = f"{BEFORE} {AFTER} {FAR} {QUOTE}"
    assert "CONTEXT_CHANGED" == follow(OLD, new)


def test_folding_is_seen_through() -> None:
    """Quotes, dashes, emphasis and line ends may change; the place is that in the new text."""
    old = f'{BEFORE} The customer\'s plan - if annual - is "refunded" in thirty days. {AFTER}'
    quote = 'The customer\'s plan - if annual - is "refunded" in thirty days.'
    new = (
        f"{BEFORE}\nThe customer\u2019s plan \u2013 if **annual** \u2013 is\n\u201crefunded\u201d"
        f" in thir-\nty days. {AFTER} We say thirty."
    )
    found = follow(old, new, quote)
    assert isinstance(found, Place)
    assert new[slice(*found.span)].startswith("The customer\u2019s")
    assert new[slice(*found.span)].endswith("thir-\nty days.")


def test_marks_of_emphasis_at_the_ends_belong_to_the_place() -> None:
    """A quote of `**bold**` keeps its marks, and gets them where it had none at one end."""
    bold = f"**{QUOTE}**"
    old = OLD.replace(QUOTE, bold)
    new = f"A new first line.\n\n{old}"
    assert place(new, bold) == follow(old, new, bold)
    assert place(new) == follow(old, new, QUOTE)
    last = QUOTE.replace("payment.", "**payment.**")
    assert place(new.replace(bold, last), last) == follow(OLD, new.replace(bold, last))


def test_markdown_headings_and_lists_begin_sentences() -> None:
    """A list item may get other neighbours, and a heading other text below it."""
    item = "- annual plans, which are refunded in full for thirty days"
    old = f"{BEFORE}\n\n- plans for a month, which are not refunded\n{item}\n- gift cards of any kind\n\n{FAR}"
    new = old.replace("- gift cards of any kind", "* what was bought from a partner")
    assert place(new, item) == follow(old, new, item)
    heading = "## Refunds of annual and of monthly plans"
    old = f"{BEFORE}\n\n{heading}\n\n{QUOTE} {AFTER}"
    new = old.replace(QUOTE, "There are none.")
    assert place(new, heading) == follow(old, new, heading)


@pytest.mark.parametrize("quote", ["", " ", "nnual plans", "Annual plan"])
def test_a_span_that_cuts_a_word_is_not_followed(quote: str) -> None:
    """Tokens are followed, and no parts of them."""
    start = OLD.index("nnual plan") if "plan" in quote else 5
    start -= quote.startswith("A")
    assert "EDITED" == NewText(f"New. {OLD}").since(OLD).follow((start, start + len(quote)))


def test_a_part_of_the_old_text_proves_less() -> None:
    """Without the whole old text both sides count: it may have had copies elsewhere."""
    known = f"{BEFORE} {QUOTE} {AFTER}"
    new = f"A new first line.\n\n{OLD}"
    assert place(new) == follow(known, new, whole=False)
    # At the end of what is known, nothing vouches for that side.
    assert "COPIES" == follow(f"{BEFORE} {QUOTE}", new, whole=False)
    assert place(new) == follow(f"{BEFORE} {QUOTE}", new, whole=True)


def test_all_that_is_known_of_a_text_has_to_be_long() -> None:
    """A passage without any surroundings is followed from 200 code points on, if it is unique."""
    long = OLD
    assert 200 <= len(long)
    new = f"A new first line.\n\n{long} And more of it."
    assert place(new, long) == follow(long, new, long, whole=False)
    assert "COPIES" == follow(QUOTE, new, QUOTE, whole=False)
    assert "EDITED" == follow(long, f"{long} {long}", long, whole=False)


@pytest.mark.parametrize(
    "sentences",
    [
        (
            "年間プランは三十日以内に全額返金されます。",
            "請求書は毎月一日に郵便で送られますので、ご確認ください。",
        ),
        (
            "सालाना योजनाएँ तीस दिन के भीतर पूरी तरह वापस की जाती हैं।",
            "बिल हर महीने के पहले दिन डाक से भेजे जाते हैं।",
        ),
        (
            "تُرد قيمة الخطط السنوية بالكامل خلال ثلاثين يومًا.",
            "تُرسل الفواتير بالبريد في أول يوم من كل شهر دائمًا.",
        ),
        (
            "תוכניות שנתיות מוחזרות במלואן בתוך שלושים יום.",
            "חשבוניות נשלחות בדואר ביום הראשון של כל חודש ושנה.",
        ),
        ("แผนรายปีจะได้รับเงินคืนเต็มจำนวนภายในสามสิบวัน", "ใบแจ้งหนี้จะถูกส่งทางไปรษณีย์ในวันแรกของทุกเดือน"),
        (
            "Годовые планы возвращаются полностью в течение тридцати дней.",
            "Счета отправляются по почте в первый день каждого месяца, всегда.",
        ),
        (
            "연간 요금제는 삼십 일 이내에 전액 환불됩니다.",
            "청구서는 매월 첫째 날에 우편으로 보내집니다, 항상 그렇게 합니다.",
        ),
        (
            "Τα ετήσια προγράμματα επιστρέφονται πλήρως σε τριάντα ημέρες.",
            "Τα τιμολόγια στέλνονται ταχυδρομικώς την πρώτη ημέρα κάθε μήνα.",
        ),
        (
            "Les forfaits annuels sont remboursés « intégralement » sous trente jours.",
            "Les factures sont envoyées par courrier le premier jour de chaque mois.",
        ),
        (
            "Refunds 👩\u200d💻 take thirty days 🇩🇪 at most, we promise.",
            "Invoices 📬 are sent by mail on the first working day 📅 of a month.",
        ),
    ],
    ids=["ja", "hi", "ar", "he", "th", "ru", "ko", "el", "fr", "emoji"],
)
def test_ten_languages_are_followed(sentences: tuple[str, str]) -> None:
    """Scripts without spaces, from right to left, with marks and with joined emoji."""
    quote, other = sentences
    old = f"{other}\n\n{quote}\n\n{BEFORE}"
    new = f"{AFTER}\n\n{other}\n\n{quote}\n\n{FAR}"
    assert place(new, quote) == follow(old, new, quote)
    shorter = quote[: len(quote) // 2]
    assert "EDITED" == follow(old, new.replace(quote, shorter), quote)
