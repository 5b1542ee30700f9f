import NotificationModel

extension PushPayload {
    /// Whether a dialect found no value in the payload. The format, the paths of texts and the problems are ignored.
    var saysNothing: Bool {
        var reading = self
        reading.textPlaces = PushPayload().textPlaces
        reading.isFCMMessage = false
        reading.problems = []
        return reading == PushPayload()
    }
}
