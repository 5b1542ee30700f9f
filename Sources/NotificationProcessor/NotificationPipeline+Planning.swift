import JSON
package import NotificationModel
import Primitives

extension NotificationPipeline {
    /// Makes all decisions about a request that come before the work on its media.
    @inline(never)
    package func plan(_ request: NotificationRequest) async -> PlannedRequest {
        let rules = rules()
        var reading = rules.reading(of: request)
        if let tables, !reading.localization.isEmpty {
            reading = await localized(reading, of: request, rules, by: tables)
        }
        return PlannedRequest(request, reading, rules, at: clock.reading, in: self)
    }

    /// Returns the payload as it was read. Its alert is in the receiver's language if the tables are read in time.
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
        var again = rules.dialects.read(localized, requested: reading.dialect, in: rules.languages(of: request))
        again.detectedBy = reading.detectedBy
        return again
    }
}
