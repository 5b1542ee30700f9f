import Lab
import NIOCore
import NIOHTTP1
import Testing

struct DeliveryProgressTests {
    private static let get = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")

    private static func delivery(
        bytes: Int, to request: HTTPRequestHead = get, _ change: (inout ReplyOptions) -> Void = { _ in }
    ) -> Delivery {
        var reply = Reply.page(.ok, "")
        reply.body = .bytes(ByteBuffer(repeating: 1, count: bytes))
        change(&reply.options)
        return Delivery(reply, for: request)
    }

    @Test func `a body is sent in pieces until its end`() {
        var progress = DeliveryProgress(Self.delivery(bytes: 100_000))
        #expect(progress.next(at: .zero) == .send(offset: 0, limit: 65_536))
        progress.sent(65_536)
        #expect(progress.next(at: .zero) == .send(offset: 65_536, limit: 34_464))
        progress.sent(34_464)
        #expect(progress.next(at: .zero) == .end(.complete(keepAlive: true)))
    }

    @Test func `a rate limits the speed of a body, and the slower of a rate and a drip applies`() {
        var options = ReplyOptions()
        #expect(options.time(ofBody: 1_000) == nil)
        options.rate = 2_000
        #expect(options.time(ofBody: 1_000) == .milliseconds(500))
        options.drip = .seconds(1)
        #expect(options.time(ofBody: 1_000) == .seconds(1))
        options.rate = 500
        #expect(options.time(ofBody: 1_000) == .seconds(2))
    }

    @Test func `a dripping body is sent at the ticks of its timer, and can be cut`() {
        var progress = DeliveryProgress(
            Self.delivery(bytes: 100) {
                $0.drip = .seconds(1)
                $0.cut = Cut(after: 8, .reset)
            })
        #expect(progress.next(at: .zero) == .wait(until: .milliseconds(50)))
        #expect(progress.next(at: .milliseconds(50)) == .send(offset: 0, limit: 5))
        progress.sent(5)
        #expect(progress.next(at: .milliseconds(51)) == .wait(until: .milliseconds(100)))
        #expect(progress.next(at: .milliseconds(100)) == .send(offset: 5, limit: 3))
        progress.sent(3)
        #expect(progress.next(at: .milliseconds(100)) == .end(.broken(.reset)))
    }

    @Test func `a cut at or after the end of a body has no effect`() {
        for offset in [100, 101] {
            let delivery = Self.delivery(bytes: 100) { $0.cut = Cut(after: offset, .close) }
            #expect(delivery.length == 100)
            #expect(delivery.ending == .complete(keepAlive: true))
        }
    }

    @Test func `an endless body ends only with a cut`() {
        #expect(Self.delivery(bytes: 10) { $0.isEndless = true }.length == nil)
        let cut = Self.delivery(bytes: 10) {
            $0.isEndless = true
            $0.cut = Cut(after: 1_000_000, .stall)
        }
        #expect(cut.length == 1_000_000)
        #expect(cut.ending == .broken(.stall))
    }

    @Test func `the response to an HTTP 1.0 request has no chunks, and the connection closes`() {
        let old = HTTPRequestHead(
            version: .http1_0, method: .GET, uri: "/", headers: ["Connection": "keep-alive"])
        let delivery = Self.delivery(bytes: 10, to: old) { $0.isEndless = true }
        #expect(!delivery.head.headers.contains(name: "Transfer-Encoding"))
        #expect(delivery.head.headers["Connection"] == ["close"])
    }

    @Test(arguments: [204, 304])
    func `a status without a body has no length and no bytes`(status: Int) {
        var reply = Reply.page(HTTPResponseStatus(statusCode: status), "")
        reply.options.isEndless = true
        let delivery = Delivery(reply, for: Self.get)
        #expect(delivery.length == 0)
        #expect(!delivery.head.headers.contains(name: "Content-Length"))
        #expect(!delivery.head.headers.contains(name: "Transfer-Encoding"))
    }
}
