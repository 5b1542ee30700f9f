import Authentication
import Base
import FoundationEssentials
import NotificationModel

/// The writer of the processed content: its text, its attachments, its outcome and the reason for the outcome.
struct NotificationComposer {
    typealias Decision = EmissionStateMachine<MediaResult>.Decision

    let request: NotificationRequest
    let payload: PushPayload
    let plan: MediaPlan
    /// The time at which the notification is emitted.
    let now: MonotonicInstant
    /// The time at which the message itself expires. `nil` if it has expired, or does not expire within the budget.
    var expiry: MonotonicInstant?
    /// The time at which the stages of the media items ended, ready or not; `nil` if they end with the budget.
    var stagesEnd: MonotonicInstant?
    /// The public URLs of renditions; `nil` if renditions are not public.
    var mediaURLs: MediaURLs?
    /// The end of the public URLs; `nil` if they never end.
    var mediaURLsEnd: Date?
    /// The signed URLs of receipts; `nil` if results have none.
    var receiptURLs: ReceiptURLs?
    var forwardedTexts = ForwardedTexts.success
    var templates = TextTemplates()

    /// Returns whether the expiry of the message, and not the budget, ended the work on its media items.
    private func isEndedByExpiry(_ decision: Decision) -> Bool {
        guard decision.cause != .cancelled, let expiry else { return false }
        return expiry <= now
            || decision.cause == .deadlineReached && stagesEnd.map { $0 < request.budget.stagesEnd } ?? false
    }

    /// Composes the content for a request that needs no media.
    func compose(_ noMedia: MediaPlan.NoMedia) -> ProcessedNotification {
        switch noMedia {
        case .serviceNotPermitted:
            let failure = MediaFailure(.serviceNotPermitted, "the receiver does not permit the service")
            return notification(.rejected, .serviceNotPermitted, text: originalText, verdicts: verdicts(failure))
        case .alertNotPermitted:
            let failure = MediaFailure(.downloadNotPermitted, "the receiver does not permit alerts")
            return notification(.passthrough, nil, text: NotificationText(), verdicts: verdicts(failure))
        case .expired:
            return notification(
                .expired, .expired, text: payload.isSilent ? payload.successText : expiredText,
                actions: actions(isExpired: true),
                verdicts: verdicts(MediaFailure(.expired, "the message has expired")))
        case .mediaMissing:
            return notification(
                .fallback, .invalidPayload, text: payload.isSilent ? payload.successText : fallbackText,
                actions: actions(isExpired: plan.isExpired),
                verdicts: verdicts(MediaFailure(.invalidPayload, "the payload does not name the file of the message")))
        case .nothingToDo:
            return notification(
                .passthrough, nil, text: payload.successText, actions: payload.actions, verdicts: verdicts(nil))
        }
    }

    /// Returns the verdicts on media that are not processed.
    ///
    /// - Parameter failure: The failure of all media; `nil` if each item has the refusal of the plan.
    private func verdicts(_ failure: MediaFailure?) -> [Verdict] {
        plan.media.map {
            Verdict(url: $0.reference.shownURL, identifier: $0.identifier, failure: failure ?? $0.refusal, stages: [])
        }
    }

    /// Composes the content for a request that cannot be used.
    func reject(_ problem: String) -> ProcessedNotification {
        var rejected = notification(.rejected, .invalidPayload, text: payload.successText)
        rejected.problem = problem
        return rejected
    }

    /// Composes the content from the results that are ready at the decision.
    func compose(_ decision: Decision) -> ProcessedNotification {
        let decision = decision.recast(at: now, stagesEnd: stagesEnd ?? request.budget.stagesEnd)
        let message = MessageFile(plan.media, endings(of: decision))
        let (media, endings) = (message.media, message.endings)
        let weighed = WeighedMedia(media, endings, isSilent: payload.isSilent)
        // A message with a media item that is ready in time is shown, although the message's expiry ended the work.
        let isExpired = plan.isExpired || isEndedByExpiry(decision) && !weighed.isAnyShown
        let outcome = outcome(of: decision, weighed, isExpired: isExpired)
        let shown = zip(media, endings).map { item, ending in
            ending.attachment.map { placed($0, isShown: weighed.isAnyShown) }
        }
        return notification(
            outcome, outcome == .expired ? .expired : weighed.missing,
            text: text(of: decision, isAnyShown: weighed.isAnyShown, isExpired: isExpired),
            actions: actions(isExpired: isExpired), shown: shown,
            isUnchanged: isOriginal(decision, isExpired: isExpired),
            verdicts: zip(media, zip(endings, shown)).map { verdict(on: $0, $1.0.failure, shown: $1.1) })
    }

    private func verdict(
        on item: PlannedMedia, _ failure: MediaFailure?, shown: NotificationAttachment?
    ) -> Verdict {
        let refusal = shown.flatMap {
            PhoneRefusal.code(sourceType: $0.sourceType, byteCount: $0.sourceByteCount, isDamaged: $0.damage != nil)
        }
        var verdict = Verdict(
            url: item.reference.shownURL, identifier: item.identifier, failure: failure, unError: refusal,
            sourceType: shown?.sourceType ?? failure?.sourceType, declaredType: item.reference.declaredType,
            stages: item.trace.stages(at: now),
            transfers: item.trace.transfers(at: now, failure: failure?.reason ?? .budgetExceeded))
        verdict.stillFailure = item.trace.stillFailure
        verdict.reduction = shown?.reduction
        (verdict.damage, verdict.codingFault) = (shown?.damage, shown?.codingFault)
        verdict.cut = shown?.asset.info.cut
        verdict.omission = shown?.source?.omission
        verdict.applyTransportSecurity(to: item.reference, isForPhone: request.profile == .ios)
        return verdict
    }

    /// Returns the attachment with its public URL, and marks whether it is attached or only stored.
    ///
    /// - Parameter isShown: Whether the notification shows its subject. A fallback attaches no media item on which the
    ///   outcome depends.
    private func placed(_ attachment: NotificationAttachment, isShown: Bool) -> NotificationAttachment {
        var attachment = attachment
        attachment.isAside =
            switch attachment.role {
            case .mask: request.profile.showsOneAttachment
            case .attachment:
                !isShown && !payload.isSilent || payload.putsImagesAside && attachment.asset.info.type.kind == .image
            case .thumbnail, .icon, .badge, .actionIcon: false
            }
        if let mediaURLs, let file = attachment.asset.path.split(separator: "/").last {
            attachment.publicURL = mediaURLs.url(of: file, in: request.appGroup, until: mediaURLsEnd)
        }
        return attachment
    }

    /// Returns the push to forward. Its payload is null if renditions are not public, or if the request is rejected.
    ///
    /// - Parameter shown: One element for each media item. An item without an attachment keeps its URL.
    private func push(
        _ outcome: Outcome, _ text: NotificationText, isTemplated: Bool, _ shown: [NotificationAttachment?]
    ) -> JSONValue {
        guard mediaURLs != nil, outcome != .rejected else { return ["payload": nil] }
        let published = shown.enumerated().compactMap { index, attachment in
            // A recipient that may not load media now gets no public URL.
            plan.media[index].fetchRefusal == nil
                ? attachment?.publicURL.map { (index: index, url: $0, info: attachment?.asset.info) } : nil
        }
        // A payload without a fallback text keeps its own texts, which may differ for each platform.
        let isOther = [.fallback, .expired, .cancelled].contains(outcome) && text != payload.successText
        let isReplaced = forwardedTexts == .asShown && (isTemplated || isOther)
        return ForwardedPayload(
            payload: request.payload, reading: payload,
            publicURLs: Dictionary(uniqueKeysWithValues: published.map { ($0.index, $0.url) }),
            renditions: Dictionary(
                uniqueKeysWithValues: published.compactMap { one in one.info.map { (one.index, $0) } }),
            text: isReplaced && !payload.isSilent ? text : nil, headers: request.headers, dialect: payload.dialect
        ).json
    }

    /// Returns the URLs by which the recipient's device reports what happened to the notification; empty if no device gets
    /// the notification.
    private func signedURLs(_ outcome: Outcome) -> JSONObject {
        guard let receiptURLs, outcome.isShown, !request.id.isOfPreparation else { return [:] }
        let key = RequestKey(group: request.appGroup, id: request.id)
        let urls = receiptURLs.urls(of: key, to: request.recipient, at: request.receivedAt)
        return JSONObject(urls.map { ($0.event.rawValue, .string($0.url)) })
    }

    /// Returns one result for each media item. No media item is shown if the request is cancelled, or if the deadline
    /// is reached and the request's policy requires the original text.
    private func endings(of decision: Decision) -> [MediaResult] {
        let showsNone = decision.cause == .cancelled || (decision.cause == .deadlineReached && policy == .original)
        let isEndedByExpiry = isEndedByExpiry(decision)
        return zip(plan.media, decision.endings).map { item, ending in
            if isEndedByExpiry, item.reference.use == .always,
                ending?.failure.map({ $0.reason == .budgetExceeded }) ?? (ending == nil)
            {
                return .failed(MediaFailure(.expired, "the message expired while its media were processed"))
            }
            guard let ending else { return .failed(unfinished(item, decision.cause)) }
            guard showsNone, ending.failure == nil else { return ending }
            return .failed(
                decision.cause == .cancelled
                    ? .cancelled : MediaFailure(.budgetExceeded, "the budget ended, and onExpiry asks for the original")
            )
        }
    }

    private func unfinished(
        _ item: PlannedMedia, _ cause: EmissionStateMachine<MediaResult>.Cause
    ) -> MediaFailure {
        if cause == .cancelled { return .cancelled }
        let stage = item.trace.stages(at: now).last.map { "in the stage \"\($0.name.rawValue)\"" }
        return MediaFailure(.budgetExceeded, "the budget ended \(stage ?? "before the item was started")")
    }

    private func outcome(of decision: Decision, _ weighed: WeighedMedia, isExpired: Bool) -> Outcome {
        switch (decision.cause, weighed.isAnyShown) {
        case (.cancelled, _): .cancelled
        case _ where isExpired: .expired
        case (_, false): .fallback
        case (_, true) where payload.isSilent: .prefetched
        case (_, true): weighed.missing == nil ? .rich : .partial
        }
    }

    /// The length of the budget, which ends no later than the message expires.
    private var budget: Duration {
        min(request.budget.length, expiry.map { request.budget.received.duration(to: $0) } ?? request.budget.length)
    }

    private func problem(saying text: NotificationText) -> String? {
        let leftOut = payload.leftOutMedia
        let problems = [
            payload.problems.summary,
            request.keysWithoutEffect.isEmpty ? nil : "no effect: \(request.keysWithoutEffect.joined(separator: ", "))",
            leftOut > 0 ? "\(leftOut) media after the first \(payload.media.count) are left out" : nil,
            payload.isSilent || !request.permissions.alert ? nil : payload.localization.problem(with: text),
        ].compactMap(\.self)
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }

    /// Creates the notification with the fields that all outcomes have.
    ///
    /// - Parameter plain: The text before the operator's templates.
    /// - Parameter shown: One element for each media item; `nil` if the item has no attachment.
    /// - Parameter isUnchanged: Whether the request asks for the text without changes.
    private func notification(
        _ outcome: Outcome, _ reason: DegradationReason?, text plain: NotificationText,
        actions: [NotificationAction] = [], shown: [NotificationAttachment?] = [], isUnchanged: Bool = false,
        verdicts: [Verdict] = []
    ) -> ProcessedNotification {
        let text = isUnchanged || outcome == .rejected ? plain : templated(plain)
        let attachments = shown.compactMap(\.self)
        var notification = ProcessedNotification(
            id: request.id, appGroup: request.appGroup, profile: request.profile,
            payload: payload.labelling(actions).permitted(by: request.permissions)
                .quietForSender(request.recipient).quietIfSilent()
                .reportingFetch(BackgroundFetchResult(outcome, reason, hasFiles: !attachments.isEmpty))
                .explaining(outcome == .rejected && reason == .invalidPayload ? nil : refusal(among: verdicts)),
            outcome: outcome, reason: reason, problem: problem(saying: plain), text: text, actions: actions,
            attachments: attachments, verdicts: verdicts,
            timing: .init(
                receivedAt: request.receivedAt, budget: budget, elapsed: request.budget.received.duration(to: now)),
            userInfo: request.payload, phone: PhoneView(request.payload),
            push: push(outcome, text, isTemplated: text != plain, shown))
        (notification.recipient, notification.labels) = (RecipientToken.name(of: request, payload), request.labels)
        notification.trace = request.trace
        notification.receiptURLs = signedURLs(outcome)
        return notification
    }
}

extension PushPayload {
    /// Returns this payload with the titles of the emitted actions in its details, if the payload labels its actions.
    fileprivate func labelling(_ actions: [NotificationAction]) -> PushPayload {
        guard labelsActions, !actions.isEmpty else { return self }
        var payload = self
        let labels = actions.reduce(into: JSONObject()) { $0.append($1.identifier, .string($1.title)) }
        payload.details.append("labels", .object(labels))
        return payload
    }
}

extension EmissionStateMachine.Decision where Ending == MediaResult {
    /// Returns the decision with the deadline as its cause, if a stage reported the deadline before the timer did.
    fileprivate func recast(at now: MonotonicInstant, stagesEnd: MonotonicInstant) -> Self {
        guard cause == .allEnded, now >= stagesEnd, endings.contains(where: { $0?.failure?.reason == .budgetExceeded })
        else { return self }
        return Self(cause: .deadlineReached, endings: endings)
    }
}
