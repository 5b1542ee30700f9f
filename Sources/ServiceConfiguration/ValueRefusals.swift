/// Every refused part of one value.
struct ValueRefusals: Error, Sendable {
    var all: [ValueRefusal]

    init(_ all: [ValueRefusal]) { self.all = all }
    init(_ source: ValueSource, _ text: String) { all = [ValueRefusal(source: source, text: text)] }
}
