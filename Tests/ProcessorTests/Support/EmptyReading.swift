import NotificationModel

extension PushPayload {
    /// Whether a dialect found nothing in the payload. Its format, the places of its texts and the
    /// lack of them are known.
    var saysNothing: Bool {
        var reading = self
        reading.textPlaces = PushPayload().textPlaces
        reading.isFCMMessage = false
        reading.problems = []
        return reading == PushPayload()
    }
}
