/// The state that SHA-256 keeps of the blocks that it has seen.
///
/// The loops are plain, and their words are in memory that is not checked, so that a debug build is
/// not a hundred times slower than an optimised one.
struct SHA256State: Sendable {
    static let blockSize = 64

    private var a: UInt32 = 0x6a09_e667
    private var b: UInt32 = 0xbb67_ae85
    private var c: UInt32 = 0x3c6e_f372
    private var d: UInt32 = 0xa54f_f53a
    private var e: UInt32 = 0x510e_527f
    private var f: UInt32 = 0x9b05_688c
    private var g: UInt32 = 0x1f83_d9ab
    private var h: UInt32 = 0x5be0_cd19

    /// Big endian.
    var bytes: [UInt8] {
        [a, b, c, d, e, f, g, h].flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Takes whole blocks only.
    mutating func mix(blocksOf bytes: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            constants.withUnsafeBufferPointer { constants in
                var start = 0
                while start < bytes.count {
                    fill(schedule, from: bytes, at: start)
                    mix(schedule, constants)
                    start &+= Self.blockSize
                }
            }
        }
    }

    /// The rounds of one block.
    private mutating func mix(
        _ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) {
        let before = self
        var round = 0
        while round < 64 {
            let big1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ big1 &+ choice &+ constants[round] &+ schedule[round]
            let big0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            h = g
            g = f
            f = e
            e = d &+ first
            d = c
            c = b
            b = a
            a = first &+ big0 &+ majority
            round &+= 1
        }
        a &+= before.a
        b &+= before.b
        c &+= before.c
        d &+= before.d
        e &+= before.e
        f &+= before.f
        g &+= before.g
        h &+= before.h
    }
}

/// The message schedule of the block that starts there.
private func fill(
    _ schedule: UnsafeMutableBufferPointer<UInt32>, from bytes: UnsafeRawBufferPointer,
    at start: Int
) {
    var index = 0
    while index < 16 {
        let offset = start &+ index &* 4
        schedule[index] =
            UInt32(bytes[offset]) &<< 24 | UInt32(bytes[offset &+ 1]) &<< 16
            | UInt32(bytes[offset &+ 2]) &<< 8 | UInt32(bytes[offset &+ 3])
        index &+= 1
    }
    while index < 64 {
        let early = schedule[index &- 15]
        let late = schedule[index &- 2]
        let small0 = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ (early &>> 3)
        let small1 = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ (late &>> 10)
        schedule[index] = schedule[index &- 16] &+ small0 &+ schedule[index &- 7] &+ small1
        index &+= 1
    }
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
private let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
]
