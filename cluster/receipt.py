"""The words of receipts and of progress: one home for each sentence users read about a result."""

import re
from typing import Any

from cluster.problem import Language
from cluster.tool import Note

#: what -> (Chinese, English). `{before}` and `{after}` are counts, `{detail}` free facts;
#: between the brackets of `[page|pages]` `{count}` chooses.
NOTES: dict[str, tuple[str, str]] = {
    "bookmarks": ("书签 {before} → {after}", "Bookmarks {before} → {after}"),
    "links": ("链接 {before} → {after}", "Links {before} → {after}"),
    "links_left": (
        "{count} 个链接指向不在结果中的页面，已移除",
        "{count} [link|links] to pages that are not in the result [was|were] removed",
    ),
    "attachments_first": ("附件放在第一个文件中", "Attachments are in the first file"),
    "parts": ("拆分为 {count} 个文件", "Split into {count} [file|files]"),
    "part_too_large": (
        "第 {detail} 页单独一页就超过所选大小",
        "Page {detail} alone is larger than the chosen size",
    ),
    "blank_pages": ("发现 {count} 个空白页", "{count} blank [page was|pages were] found"),
    "destinations": ("命名目标 {before} → {after}", "Named destinations {before} → {after}"),
    "fields": ("表单域 {before} → {after}", "Form fields {before} → {after}"),
    "fields_renamed": (
        "{count} 个同名表单域已改名",
        "{count} form [field|fields] with the same name [was|were] renamed",
    ),
    "fields_flattened": ("{count} 个表单域已展平为普通内容", "{count} form [field was|fields were] flattened"),
    "fields_dropped": ("{count} 个表单域已删除", "{count} form [field was|fields were] dropped"),
    "xfa_lost": (
        "XFA 动态表单未能保留，只保留普通表单域",
        "The XFA form could not be kept; only ordinary form fields are",
    ),
    "annotations": ("批注 {before} → {after}", "Annotations {before} → {after}"),
    "attachments": ("附件 {before} → {after}", "Attachments {before} → {after}"),
    "labels": ("页码标签已保留", "Page labels were kept"),
    "tags": ("无障碍标签已保留", "Accessibility tags were kept"),
    "tags_lost": ("无障碍标签未能保留", "Accessibility tags could not be kept"),
    "metadata": ("文档属性已保留", "Metadata was kept"),
    "metadata_removed": ("文档属性已清除", "Metadata was removed"),
    "press_profile_removed": (
        "印刷用的 PDF/X 颜色配置已移除，屏幕显示不变",
        "The PDF/X printing condition was removed; the screen shows the same",
    ),
    "signature_broken": (
        "{count} 个数字签名因内容改变而失效",
        "{count} digital [signature is|signatures are] broken by the change",
    ),
    "password_removed": ("结果文件不再有密码", "The result has no password any more"),
    "repaired": ("原文件有损坏，已自动修复", "The file was damaged and has been repaired"),
    "pages_saved": (
        "原有 {before} 页，救回 {after} 页：第 {detail} 页；其余已损坏，无法恢复",
        "{before} pages, {after} saved: {detail}; the rest is damaged and could not be brought back",
    ),
    "end_missing": (
        "文件结尾缺失，之后若还有页面则无法得知",
        "The end of the file is missing; whether pages followed there cannot be known",
    ),
    "fonts_substituted": ("缺少字体已替换：{detail}", "Missing fonts were substituted: {detail}"),
    "unchanged": ("文件已足够小，原样返回", "The file is already small; it comes back as it was"),
    "size": ("大小 {before} → {after}", "Size {before} → {after}"),
    "images": ("图片 {before} → {after}", "Images {before} → {after}"),
    "fonts": ("字体 {before} → {after}", "Fonts {before} → {after}"),
    "other": ("其他 {before} → {after}", "Other {before} → {after}"),
    "target_reached": ("已达到目标大小", "The target size was reached"),
    "target_missed": (
        "无法达到目标大小，这是可达到的最小值",
        "The target is out of reach; this is the smallest size",
    ),
    "pages": ("页数 {before} → {after}", "Pages {before} → {after}"),
    "pages_turned": ("已旋转 {count} 页", "{count} [page was|pages were] turned"),
    "pictures_joined": ("{count} 张图片已转为页面", "{count} [picture became a page|pictures became pages]"),
    "text_kept": ("文字可搜索、可复制", "Text can be searched and copied"),
    "characters": ("识别 {count} 个字符", "{count} [character|characters] recognised"),
    "lines_unread": (
        "{count} 行文字未能识别（文字种类不支持或不够清晰）",
        "{count} [line|lines] could not be read (letters this tool does not know, or not clear enough)",
    ),
    "letters_passed_over": (
        "有些带附加符号的字母（如越南语的 ế、ạ）不在可识别范围内，可能缺失，请核对",
        "Some letters with marks (such as Vietnamese ế, ạ) are beyond what can be read here and may be missing; "
        "please check",
    ),
    "turned": ("图片已自动转正 {detail}°", "The picture was turned upright by {detail}°"),
    "changes_show": ("文档含 {count} 处修订，按修订样式显示", "{count} tracked [change is|changes are] shown as such"),
    "changes_accept": ("已接受 {count} 处修订", "{count} tracked [change was|changes were] accepted"),
    "changes_reject": ("已拒绝 {count} 处修订", "{count} tracked [change was|changes were] rejected"),
    "pages_converted": ("已转换 {count} 页", "{count} [page was|pages were] converted"),
    "pages_joined": ("合并后共 {count} 页", "{count} [page is|pages are] in the merged file"),
    "pages_drawn": ("{count} 页已转为图片", "{count} [page was|pages were] turned into pictures"),
    "pages_marked": ("{count} 页已加水印", "{count} [page was|pages were] marked"),
    "macros_ignored": ("宏未运行", "Macros were not run"),
    "remote_blocked": ("外部链接的内容未下载", "Remote content was not fetched"),
}

STAGES: dict[str, tuple[str, str]] = {
    "queued": ("排队中", "Waiting in the queue"),
    "staging": ("正在准备文件", "Getting the files ready"),
    "planning": ("正在分析文档", "Reading the document"),
    "working": ("正在处理", "Working"),
    "images": ("正在处理图片", "Working on pictures"),
    "fonts": ("正在处理字体", "Working on fonts"),
    "writing": ("正在写入结果", "Writing the result"),
    "converting": ("正在转换", "Converting"),
    "rendering": ("正在渲染页面", "Rendering pages"),
    "reading": ("正在识别文字", "Reading text"),
    "checking": ("正在检查结果", "Checking the result"),
    "storing": ("正在保存结果", "Storing the result"),
}


def sentence(note: Note, language: Language) -> str:
    """The note as people read it; sizes are written as KB or MB."""
    facts = {name: _size(value) if note.what in _SIZES else value for name, value in note.facts.items()}
    words = NOTES[note.what][0 if language == "zh" else 1]
    return _NUMBER.sub(r"\1" if facts.get("count") == 1 else r"\2", words).format(**facts)


_NUMBER = re.compile(r"\[(.*?)\|(.*?)\]")


_SIZES = {"size", "images", "fonts", "other"}


def _size(value: Any) -> str:
    return f"{value / (1 << 20):.2f} MB" if value >= 1 << 20 else f"{value / 1024:.1f} KB"
