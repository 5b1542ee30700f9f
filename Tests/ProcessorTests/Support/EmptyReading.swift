import NotificationModel

extension PushPayload {
    /// Whether a dialect found no value in the payload. The format, the places of texts and the problems do not count.
    var saysNothing: Bool {
        var reading = self
        reading.textPlaces = PushPayload().textPlaces
        reading.isFCMMessage = false
        reading.problems = []
        return reading == PushPayload()
    }
}
