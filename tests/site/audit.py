"""What a page must hold for everybody: axe finds nothing, and no language is mixed in."""

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parent.parent.parent / "site/node_modules/axe-core/axe.min.js").read_text()
#: Dark pages are the same but for their colours, so only axe's rules on colours run there, in half the time.
RUN = """async (scheme) => {
  const frame = () => new Promise(requestAnimationFrame);
  const moving = () => document.getAnimations().some(({ playState }) => playState === 'running');
  do { await frame(); await frame(); } while (moving());
  const colours = axe.getRules(['cat.color']).filter(({ tags }) => !tags.includes('wcag2aaa'));
  const only = scheme === 'dark' && { runOnly: { type: 'rule', values: colours.map(({ ruleId }) => ruleId) } };
  const { violations } = await axe.run({ resultTypes: ['violations'], ...only });
  const lines = (id, nodes) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`);
  return violations.flatMap(({ id, nodes }) => lines(id, nodes));
}"""
#: What a document's own words stand in, a recognised table or a field that holds a line, is no page of ours.
WORDS = """() => [...document.querySelectorAll('main *:not([data-testid=table-grid] *)')].flatMap((element) => [
  ...[...element.childNodes].filter((node) => node instanceof Text && element.tagName !== 'TEXTAREA').map(({ data }) => data),
  ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
]).filter((text) => /[\\u3000-\\u303f\\u4e00-\\u9fff\\uff00-\\uffef]/.test(text))"""


def violations(page: Page) -> list[str]:
    """What axe finds in light and in dark; the context asks for reduced motion, or colours are on their way."""
    page.evaluate(AXE)
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme} {line}" for line in page.evaluate(RUN, scheme)]
    return found


def chinese(page: Page, *own: str) -> list[str]:
    """Chinese in the page's texts and labels, hidden ones too, that is not the user's own."""
    return [text for text in page.evaluate(WORDS) if not any(name in text for name in own)]
