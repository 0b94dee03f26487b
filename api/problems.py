"""Problems on the wire: the envelope, HTTP codes, and the reasons that only the API has."""

from collections.abc import Mapping, Sequence
from typing import Any

from cluster.problem import REASONS, FaultProblem, Language, Problem

#: reason -> (code, Chinese, English); every sentence says what to do.
REFUSALS: dict[str, tuple[int, str, str]] = {
    "body_invalid": (400, "请求内容不是有效的 JSON。", "The request body is not valid JSON."),
    "field_invalid": (400, "参数“{field}”无效：{detail}", "The parameter “{field}” is not valid: {detail}"),
    "account_invalid": (
        400,
        "请输入有效的邮箱或手机号（境外号码请加 + 和国家代码）。",
        "Enter an e-mail address, or a mobile number with + and its country code.",
    ),
    "openid_required": (
        400,
        "请在微信中授权后继续付款。",
        "Please let WeChat tell us who pays, then go on.",
    ),
    "not_compress_task": (400, "只有压缩任务可以换档重试。", "Only a compress task can be run again at another level."),
    "unauthorized": (401, "请先登录，或先上传文件。", "Please sign in, or upload a file first."),
    "sign_in": (401, "请先登录。", "Please sign in."),
    "forbidden": (403, "没有权限执行此操作。", "You may not do this."),
    "code_wrong": (
        403,
        "验证码不正确或已失效，请重新获取。",
        "The code is wrong or no longer valid. Please ask for a new one.",
    ),
    "membership_expired": (
        403,
        "会员已到期，续费后可继续使用会员权益。",
        "Your membership has ended. Renew it to go on.",
    ),
    "preorder_expired": (
        403,
        "价格保留已过期，请重新下单。",
        "The price is no longer kept. Please order again.",
    ),
    "already_paid": (403, "这笔订单已经付款，无需再付。", "This order is already paid; there is nothing more to pay."),
    "nothing_to_transfer": (
        403,
        "没有可以转赠的会员时间（转赠得来的不能再次转赠）。",
        "There is no membership to pass on; what you received cannot be passed on again.",
    ),
    "transfer_to_self": (400, "不能转赠给自己，请填写另一个账号。", "Enter another account; this one is yours."),
    "tag_missing": (403, "请求缺少 Web-Tag，请刷新页面重试。", "The request has no Web-Tag. Please reload the page."),
    "too_many_documents": (
        403,
        "当前一次最多处理 {limit} 个文档，开通会员可批量处理。",
        "You can process {limit} document(s) at a time; members process batches.",
    ),
    "no_tries_left": (
        403,
        "今天的免费次数已用完，请明天再来或开通会员。",
        "Today's free tries are used up. Come back tomorrow or become a member.",
    ),
    "file_too_large": (
        403,
        "“{file}”超过单个文件上限 {limit} MB，请压缩后再传或开通会员。",
        "“{file}” is over the limit of {limit} MB for one file. Make it smaller or become a member.",
    ),
    "download_limit": (
        3001,
        "此结果的下载次数已达上限（{limit} 次）。",
        "This result has reached its download limit ({limit}).",
    ),
    "not_found": (404, "找不到此接口。", "There is no such call."),
    "tool_unknown": (404, "没有这个工具。", "There is no such tool."),
    "task_unknown": (
        404,
        "找不到此任务，可能已过期删除。",
        "The task was not found; it may have expired.",
    ),
    "package_unknown": (404, "没有这个会员套餐。", "There is no such package."),
    "preorder_unknown": (404, "找不到这笔预订单，请重新下单。", "The preorder was not found. Please order again."),
    "order_unknown": (404, "找不到这笔订单。", "The order was not found."),
    "qr_unknown": (404, "二维码无效或已过期，请刷新后重试。", "The QR code is not valid. Please ask for a new one."),
    "result_unknown": (404, "此任务没有这个结果文件。", "The task has no such result."),
    "link_expired": (403, "下载链接已过期，请重新获取。", "The download link has expired. Please ask for a new one."),
    "method_not_allowed": (405, "此接口不支持该方法。", "The call does not take this method."),
    "request_timeout": (408, "请求超时，请重试。", "The request took too long. Please try again."),
    "body_too_large": (413, "请求内容过大。", "The request is too large."),
    "host_unknown": (421, "此服务器不提供该域名的服务。", "This server does not serve that host."),
    "key_reused": (
        422,
        "此操作编号已用于另一个请求，请换一个编号（刷新页面）后重试。",
        "This Idempotency-Key belongs to another request. Use a new one (reload the page) and try again.",
    ),
    "codes_too_many": (
        429,
        "验证码发送过于频繁，请 {seconds} 秒后再试。",
        "Too many codes were sent. Please try again in {seconds} seconds.",
    ),
    "queue_full": (
        429,
        "当前排队任务过多，请 {seconds} 秒后重试。",
        "The queue is full. Please try again in {seconds} seconds.",
    ),
    "too_many_waiting": (
        429,
        "您排队中的文件已达上限，请等其中一些处理完再提交。",
        "You have as many files waiting as one may have. Submit more when some of them are done.",
    ),
    "too_many_requests": (
        429,
        "操作过于频繁，请稍后再试。",
        "Too many requests. Please try again later.",
    ),
    "gateway_unavailable": (
        503,
        "暂时联系不上外部服务，请稍后再试。",
        "A service that we need does not answer. Please try again later.",
    ),
    "storage_full": (
        507,
        "服务器存储空间暂时不足，请稍后再试；已有的文件仍可下载和删除。",
        "The server has no room for more files just now. Please try again later; your files can still be downloaded "
        "and deleted.",
    ),
    "unavailable": (503, "系统升级中，请 1 分钟后重试。", "The system is being upgraded. Please retry in 1 minute."),
}

_NOT_FOUND = {"file_unknown"}


class Refusal(Problem):
    """The API's own no. `data` is told to the client beside the reason; `retry` is seconds."""

    def __init__(
        self, reason: str, *, data: Mapping[str, Any] | None = None, retry: int | None = None, **facts: Any
    ) -> None:
        super().__init__(reason, **facts)
        self.data, self.retry = dict(data or {}), retry

    def text(self, language: Language) -> str:
        """The sentence for people."""
        if self.reason in REASONS:
            return super().text(language)
        _, zh, en = REFUSALS[self.reason]
        return (zh if language == "zh" else en).format(**{"file": "", **self.facts})


#: Wrong fields that are told; of more only how many.
MOST_FIELDS = 10


class FieldRefusal(Refusal):
    """Fields that are not valid, each with its own words: `wrong` the first ones, `more` how many others."""

    def __init__(self, reason: str, wrong: Sequence[tuple[str, tuple[str, str]]], more: int = 0) -> None:
        super().__init__(reason)
        self.wrong, self.more = wrong[:MOST_FIELDS], more + len(wrong[MOST_FIELDS:])

    def text(self, language: Language) -> str:
        """One sentence about the first wrong field, and how many others there are beyond those listed."""
        field, words = self.wrong[0]
        self.facts = {"field": field, "detail": words[language != "zh"]}
        more = (f"（另有 {self.more} 处）", f" (and {self.more} more)")[language != "zh"] if self.more else ""
        return super().text(language) + more

    def told(self, language: Language) -> dict[str, Any]:
        """The wrong fields with their words."""
        listed = [{"field": field, "msg": words[language != "zh"]} for field, words in self.wrong]
        return {"field": self.wrong[0][0], "fields": listed} | ({"more": self.more} if self.more else {})


def code_of(problem: Problem) -> int:
    """The envelope's code."""
    if problem.reason in REFUSALS:
        return REFUSALS[problem.reason][0]
    if isinstance(problem, FaultProblem) or problem.reason == "internal":
        return 500
    return 404 if problem.reason in _NOT_FOUND else 400


def http_status(code: int) -> int:
    """The HTTP status that carries `code`; product codes travel as 403."""
    return code if 100 <= code < 600 else 403


def success(data: Any) -> dict[str, Any]:
    """The envelope of a good answer."""
    return {"code": 200, "msg": "", "data": data}


def failure(problem: Problem, language: Language) -> dict[str, Any]:
    """The envelope of a Problem."""
    data: dict[str, Any] = {"reason": problem.reason}
    data |= {name: problem.facts[name] for name in _TOLD if name in problem.facts}
    if isinstance(problem, Refusal):
        data |= problem.data
    if isinstance(problem, FieldRefusal):
        data |= problem.told(language)
    return {"code": code_of(problem), "msg": problem.text(language), "data": data}


#: Facts that a page needs by name; a fault's own facts stay with the operator.
_TOLD = ("file", "index", "limit", "seconds", "field")


def reasons() -> dict[str, dict[str, str]]:
    """Every reason with its sentences, for the contract."""
    ours = {reason: {"zh": zh, "en": en} for reason, (_, zh, en) in REFUSALS.items()}
    return {reason: {"zh": zh, "en": en} for reason, (zh, en) in REASONS.items()} | ours
