/// Where the values of one JSON text stand in its bytes.
struct SourceOutline {
    /// Of the key where it is a member, else of the value.
    var start: Int
    /// Of the value.
    let valueStart: Int
    /// Behind the value.
    var end: Int
    /// Of an object; of a repeated key the last one, which is the one that counts.
    var members: [String: SourceOutline] = [:]
    /// Of an array.
    var elements: [SourceOutline] = []

    init(start: Int, end: Int) {
        self.start = start
        valueStart = start
        self.end = end
    }
}
