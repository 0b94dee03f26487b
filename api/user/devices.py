"""Devices: a browser's User-Agent in two words that its owner knows again."""

import re

#: The first that fits counts: most browsers also name those that they descend from.
_BROWSERS = (
    ("MicroMessenger", "WeChat"),
    ("AlipayClient", "Alipay"),
    ("QQBrowser|MQQBrowser", "QQ Browser"),
    ("UCBrowser", "UC Browser"),
    ("SamsungBrowser", "Samsung Internet"),
    ("HuaweiBrowser", "Huawei Browser"),
    ("MiuiBrowser", "Mi Browser"),
    (r"Edg(e|A|iOS)?/", "Edge"),
    (r"OPR/|OPT/|Opera", "Opera"),
    ("Firefox|FxiOS", "Firefox"),
    ("Chrome|CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("HarmonyOS|OpenHarmony", "HarmonyOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def device_name(agent: str) -> str:
    """`Chrome · Windows`; only the part that is known, empty when neither is."""
    return " · ".join(filter(None, (_first(_BROWSERS, agent), _first(_SYSTEMS, agent))))


def _first(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for pattern, name in names if re.search(pattern, agent)), "")
