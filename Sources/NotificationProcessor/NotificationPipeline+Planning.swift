import Base
import FoundationEssentials
package import NotificationModel

/// The decoding and the planning of requests. Each request is decoded and planned with one copy of the rules.
extension NotificationPipeline: RequestDecoding, EnvelopeReading, RequestNaming {
    package func decode(_ submission: Submission) async throws(EnvelopeError) -> any PlannedNotification {
        let rules = rules(for: submission)
        let planned = await plan(try request(of: submission, by: rules), by: rules)
        guard planned.request.recipientLookup?.stored?.isErased != true else {
            throw .forbidden("recipient", "the receiver was erased, and is suppressed")
        }
        guard submission.mayReportReceipts || planned.receipt == nil else {
            throw .forbidden("payload", "the event acts as a receipt, so its sender needs the scope receipts too")
        }
        return planned
    }

    /// Reads the envelope of a submission.
    ///
    /// - Throws: The error of an unusable envelope.
    package func request(of submission: Submission) throws(EnvelopeError) -> NotificationRequest {
        try request(of: submission, by: rules(for: submission))
    }

    package func names(of submission: Submission) throws(EnvelopeError) -> RequestNames {
        let rules = rules(for: submission)
        let request = try request(of: submission, by: rules)
        let reading = rules.reading(of: request)
        var names = RequestNames(group: request.appGroup)
        names.id = request.id.description
        names.recipients = Set([RecipientToken.name(of: request, reading)].compactMap(\.self))
        (names.thread, names.providerID) = (reading.aps.threadIdentifier, reading.providerID)
        names.isRecognized = reading.dialect != nil
        return names
    }

    private func request(
        of submission: Submission, by rules: PayloadRules
    ) throws(EnvelopeError) -> NotificationRequest {
        let (request, error) = rules.envelopeReader.request(from: submission)
        if let error { throw error }
        guard accepts(request.appGroup) else {
            throw EnvelopeError(key: "appGroup", problem: "\(request.appGroup) is not a group that this daemon serves")
        }
        return request
    }

    package func decode(
        _ entry: JournalEntry, at now: ClockReading, refusing refusal: MediaFailure?
    ) async -> any PlannedNotification {
        let rules = rules(for: entry.key.group)
        let body = (try? JSONParser.value(of: entry.body).object) ?? JSONObject()
        let template = entry.template.flatMap { try? BatchTemplate($0) }
        let object = template.flatMap { try? $0.envelope(of: body) } ?? body
        let age = Duration.seconds(max(0, now.date.timeIntervalSince(entry.receivedAt)))
        let received = ClockReading(instant: now.instant.advanced(by: .zero - age), date: entry.receivedAt)
        var (request, _) = rules.envelopeReader.request(
            from: Submission(body: entry.body, object: object, channel: entry.channel, arrival: received))
        request.id = entry.key.id
        request.appGroup = entry.key.group
        let maxReserve = request.budget.maxReserve
        request.budget = TimeBudget(
            received: received.instant, length: .seconds(entry.deadline.timeIntervalSince(entry.receivedAt)))
        request.budget.maxReserve = maxReserve
        request.mediaRefusal = refusal
        return await plan(request, by: rules)
    }

    package func plan(_ request: NotificationRequest) async -> PlannedRequest {
        await plan(request, by: rules(for: request.appGroup))
    }

    /// Makes all decisions about a request that come before the work on its media.
    @inline(never)
    private func plan(_ request: NotificationRequest, by rules: PayloadRules) async -> PlannedRequest {
        var request = request
        var reading = rules.reading(of: request)
        if let recipients, !request.isWarming, let name = RecipientToken.name(of: request, reading) {
            let locale = request.locale
            request.lay(await recipients.recipient(RecipientName(group: request.appGroup, name: name)))
            if request.locale != locale { reading = rules.reading(of: request) }
        }
        if let tables, !reading.localization.isEmpty {
            reading = await localized(reading, of: request, rules, by: tables)
        }
        return PlannedRequest(request, reading, rules, at: clock.reading, in: self)
    }

    /// Returns the payload as it was read. Its alert is in the recipient's language if the tables are read in time.
    @inline(never)
    private func localized(
        _ reading: PushPayload, of request: NotificationRequest, _ rules: PayloadRules,
        by tables: any StringTableReading
    ) async -> PushPayload {
        let localizer = AlertLocalizer(tables: tables, defaultLanguage: rules.language)
        let language = (request.locale ?? reading.language).flatMap { LanguageTag($0) }
        let localized = await withTaskGroup(of: JSONObject?.self) { group in
            group.addTask {
                await localizer.localized(
                    request.payload, reading.localization, language: language, in: request.appGroup)
            }
            group.addTask { [clock] in
                await clock.sleep(until: request.budget.stagesEnd)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap(\.self)
        }
        guard let localized, localized != request.payload else { return reading }
        var again = rules.dialects.read(localized, requested: request.dialect, in: rules.languages(of: request))
        again.detectedBy = reading.detectedBy
        return again
    }
}
