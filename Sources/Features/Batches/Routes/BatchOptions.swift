import Authentication
import Base
import HTTPAPI
import NotificationModel

/// The options of a batch, from the target and the header fields of its HTTP request.
struct BatchOptions: Sendable {
    let caller: Caller
    let call: BatchCall
    /// The value of `Idempotency-Key`; `nil` if the request has no such field.
    let id: RequestID?
    let preferences: Preferences
    let dryRun: DryRun?

    init(_ arguments: RouteArguments) throws(Problem) {
        let options = try SubmitOptions(arguments)
        caller = arguments.caller
        var call = BatchCall(
            owner: caller.name, groups: caller.groups, mayReportReceipts: options.mayReportReceipts,
            group: options.group, budget: options.budget)
        call.share = caller.share
        self.call = call
        id = options.id
        preferences = options.preferences
        dryRun = try arguments[BatchRoutes.dryRun]
        guard dryRun == nil || !preferences.respondsAsync else {
            throw .parameter("dry-run", "has its answer in the response: leave out Prefer: respond-async.")
        }
    }
}

extension BatchRoutes {
    static let batchID = Parameter.id.described(as: "The id of the batch.")
    static let batchKey = SubmitOptions.idempotencyKey.described(as: "The id of a stored batch.")
    static let preferAsync = SubmitOptions.prefer.described(
        as: "`respond-async`: the batch is stored, and the response comes before the results (RFC 7240).",
        .examples("respond-async"))
    static let dryRun = Parameter<DryRun?>(
        "dry-run", in: .query,
        "Only a plan is made. `lint` sends nothing to any server, and `fetch` prepares the media.",
        ["type": "string", "enum": .names(of: DryRun.self)]
    ) { name, _ throws(Problem) in
        guard let name else { return nil }
        if let run = DryRun(rawValue: name) { return run }
        throw .parameter("dry-run", "is \"\(VisibleText.short(name, most: 64))\", which is neither lint nor fetch.")
    }
    /// The number of results that are left out.
    static let after = Parameter<Int>(
        "after", "The number of results that are left out, from the first one.",
        ["type": "integer", "minimum": 0, "maximum": 4_294_967_296, "default": 0], default: 0,
        "must be the number of results that are left out, such as 100."
    ) { text in text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text).flatMap { $0 <= 1 << 32 ? $0 : nil } : nil }
}
