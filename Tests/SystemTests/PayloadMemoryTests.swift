import Base
import FeatureKit
import NotificationModel
import ServiceConfiguration
import Testing

@Suite struct PayloadMemoryTests {
    @Test(
        arguments: [
            (nil, 64 << 20, nil), (4 << 30, 64 << 20, nil), (200_000_000, 12_500_000, 200_000_000),
            (1_000, 1 << 20, 1_000),
        ] as [(Int?, Int, Int?)])
    func `only a small memory limit reduces the memory for large payloads`(
        _ limit: Int?, _ payloadMemory: Int, _ by: Int?
    ) {
        let payloads = PayloadMemory(Configuration(workers: 2), memoryLimit: limit)
        #expect(payloads.largeBodyBytes == payloadMemory)
        #expect(payloads.reducingLimit == by)
    }

    @Test(arguments: [(nil, .max), (4 << 30, 512 << 20), (200_000_000, 25_000_000), (1_000, 2 << 20)] as [(Int?, Int)])
    func `a memory limit bounds the memory for the parsed values of one payload`(_ limit: Int?, _ most: Int) {
        #expect(PayloadMemory(Configuration(workers: 2), memoryLimit: limit).values.most == most)
    }
}
