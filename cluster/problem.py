"""Problem: the one word for trouble, the same in Python, JSON and React.

    Problem
    ├── InputProblem     the file or the options: FAIL, says what to do, never retried
    │   └── PasswordProblem   another try with a password needs no new upload
    ├── LimitProblem     a bound was reached: FAIL, never retried
    ├── DeadlineProblem  took too long: TIMEOUT_FAIL
    └── FaultProblem     ours: retried, then ABNORMAL; its text is for the operator only

A reason is a stable snake_case word. Its sentence for people, in Chinese and English,
stands once, in REASONS; placeholders are filled from the Problem's own `facts`.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

Language = Literal["zh", "en"]

#: reason -> (Chinese, English); every sentence says what to do.
REASONS: dict[str, tuple[str, str]] = {
    # the file
    "password_required": (
        "“{file}”有打开密码，请输入密码后重试，无需重新上传。",
        "“{file}” is protected. Enter its password and try again; no new upload is needed.",
    ),
    "password_wrong": (
        "“{file}”的密码不正确，请重新输入。",
        "The password for “{file}” is not right. Please enter it again.",
    ),
    "certificate_needed": (
        "“{file}”是用证书或权限管理加密的，这里无法打开。请在持有证书的电脑上打开，另存一份未加密的副本再试。",
        "“{file}” is locked with a certificate or a rights service and cannot be opened here. "
        "Open it where the certificate is, save an unlocked copy and try again.",
    ),
    "not_supported_type": (
        "“{file}”的内容不是此工具支持的类型（识别为 {found}），请换一个文件。",
        "The content of “{file}” is not a type this tool takes (it looks like {found}). Choose another file.",
    ),
    "damaged_file": (
        "“{file}”已损坏，无法读取。请重新导出或换一份副本再试。",
        "“{file}” is damaged and cannot be read. Export it again or try another copy.",
    ),
    "empty_file": (
        "“{file}”是空文件，请检查后重新选择。",
        "“{file}” is empty. Check it and choose again.",
    ),
    "too_many_pages": (
        "“{file}”有 {pages} 页，超过上限 {limit} 页。请先拆分，或使用大文件工具。",
        "“{file}” has {pages} pages; the limit is {limit}. Split it first or use the tools for big files.",
    ),
    "too_large_when_opened": (
        "“{file}”展开后过大，超出安全上限。请降低图片尺寸或拆分后再试。",
        "“{file}” becomes too large when opened. Reduce its pictures or split it, then try again.",
    ),
    "unsafe_content": (
        "“{file}”的内部结构不安全（如外部实体、重叠或链接的条目），已拒绝打开。请用办公软件另存一份再试。",
        "“{file}” is built in an unsafe way (outside entities, overlapping or linked entries) and was not opened. "
        "Save a new copy with an office program and try again.",
    ),
    "picture_too_long": (
        "“{file}”的长图高 {height} 像素，超过此格式的上限 {limit} 像素。请减少页数、降低分辨率，或改用 PNG。",
        "The long picture of “{file}” would be {height} px high; this format ends at {limit} px. "
        "Choose fewer pages, a lower resolution, or PNG.",
    ),
    "page_range_invalid": (
        "页码范围“{text}”无效：文档共 {pages} 页。请填写 1 到 {pages} 之间的页码。",
        "The page range “{text}” is not valid: the document has {pages} pages. Use pages 1 to {pages}.",
    ),
    "nothing_to_do": (
        "“{file}”中没有可处理的内容，请换一个文件或调整选项。",
        "There is nothing to do in “{file}”. Choose another file or change the options.",
    ),
    "permission_denied_by_owner": (
        "“{file}”的所有者禁止此操作，请先用所有者密码解锁。",
        "The owner of “{file}” does not permit this. Unlock it with the owner password first.",
    ),
    "glyph_missing": (
        "没有字体可以显示字符“{text}”，请修改文字。",
        "No font can show the characters “{text}”. Please change the text.",
    ),
    "no_text_found": (
        "“{file}”中没有识别到文字，请换一张更清晰的图片。",
        "No text was found in “{file}”. Try a clearer picture.",
    ),
    "script_not_supported": (
        "“{file}”中找到 {lines} 行文字，其中 {unread} 行无法识别：此工具识别中文、英文、日文和拉丁字母文字，"
        "不支持谚文、泰文、天城文、希伯来文、阿拉伯文、西里尔字母等。若是支持的文字，请换一张更清晰的图片。",
        "{lines} lines of text were found in “{file}”, and {unread} of them could not be read: this tool reads "
        "Chinese, Japanese and Latin letters, not Hangul, Thai, Devanagari, Hebrew, Arabic, Cyrillic and others. "
        "If the text is in letters it reads, try a clearer picture.",
    ),
    # the request
    "option_invalid": ("选项“{field}”无效：{detail}", "The option “{field}” is not valid: {detail}"),
    "file_unknown": (
        "找不到上传的文件，可能已过期删除，请重新上传。",
        "The uploaded file was not found; it may have expired. Please upload it again.",
    ),
    "file_changed": (
        "文件在上传后被更改，请重新上传。",
        "The file was changed after its upload. Please upload it again.",
    ),
    "too_many_files": (
        "此工具一次最多处理 {limit} 个文件。",
        "This tool takes at most {limit} files at a time.",
    ),
    "too_few_files": (
        "此工具至少需要 {limit} 个文件。",
        "This tool needs at least {limit} files.",
    ),
    # ours
    "timed_out": (
        "处理超时。请拆分文件或减少内容后重试。",
        "This took too long. Split the file or reduce its content, then try again.",
    ),
    "engine_unavailable": (
        "处理引擎暂时不可用，请稍后重试。",
        "The engine is not available just now. Please try again later.",
    ),
    "internal": (
        "处理失败，是我们的问题，本次不计入使用次数。请稍后重试。",
        "Something failed on our side; this try is not counted. Please try again later.",
    ),
}


@dataclass
class Problem(Exception):
    """Trouble with a stable reason; `facts` fill the sentence (file, pages, limit, text …).

    `index` among them says which of the task's files it is about: names may be equal.
    """

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason, self.facts = reason, facts

    def text(self, language: Language) -> str:
        """The sentence for people; unknown facts show as an empty word."""
        sentence = REASONS[self.reason][0 if language == "zh" else 1]
        return sentence.format_map(_Blank(self.facts))

    def about(self, **facts: Any) -> "Problem":
        """The same trouble with more facts; facts already there stay."""
        self.facts = {**facts, **self.facts}
        return self


class InputProblem(Problem):
    """The file or the options; the sentence says what to do."""


class PasswordProblem(InputProblem):
    """`password_required` or `password_wrong`."""


class LimitProblem(Problem):
    """A bound was reached."""


class DeadlineProblem(Problem):
    """Took longer than the part may take."""


class FaultProblem(Problem):
    """Ours. `detail` is for the operator's log and never sent to a client."""

    def __init__(self, detail: str, reason: str = "internal") -> None:
        super().__init__(reason)
        self.detail = detail


class _Blank(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return ""
