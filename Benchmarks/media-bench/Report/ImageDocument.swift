import BenchReport

/// The part of Benchmarks/RESULTS.md about images.
struct ImageDocument {
    let surroundings: [String]
    let rounds: Int
    let table: ResultTable
    let stages: ResultTable

    var text: String {
        """
        # Pictures, measured

        Made by `make bench` (`media-bench`). Each comparison is of two warm processes of one thread that make the same
        thumbnail in turns, \(rounds) rounds of it after a warm-up, each of as many jobs as take a quarter of a
        second; a ratio is of the two of one round. Ours is prepared as the daemon's worker is, and reads and writes files
        in memory (`/dev/shm`) where there is room; libvips does `vips_thumbnail_buffer` and `vips_jpegsave_buffer`
        (halved colour differences, without metadata) or `vips_pngsave_buffer` (zlib level 4, filters chosen row by row, as ours) from
        memory to memory, on one thread, its cache off: [vips-thumbnail.c](media-bench/Peers/vips-thumbnail.c). Processor
        time is user and system of a process; memory is its highest mark (`VmHWM`). A PNG or a GIF becomes a PNG.
        The memory of libvips contains the heaps that glibc keeps of ended threads. With one heap for all threads, a
        progressive JPEG takes 140 MB instead of 250 to 440, and a quarter more processor time.

        SSIM is of luma, against the whole picture scaled by libvips with Lanczos in one step. The column of ratios has
        ours there; libvips' is beside it. AVIF and HEIC are whole pictures, not grids, without an embedded thumbnail.

        A JPEG of quality 85, which is the default, has a lower SSIM than the targets ask for, with any encoder. The report
        also has the SSIM of the reference after its encoding as such a JPEG, and the share of it that the thumbnail reaches.
        So each comparison is made twice: in quality 85, and in the lowest quality in which ours has an SSIM of 0.993. The
        targets of time and of SSIM must both hold in the second one.

        The pictures are made for it, from one with the spectrum, edges and grain of a photograph
        ([DeadLeaves.swift](media-bench/Inputs/DeadLeaves.swift)): the photograph among the fixtures is out of focus for the
        most part, and has half as many bytes at quality 90. It is measured as well.

        Programs that are started for each thumbnail are measured from their start to their end, with the threads that
        they take by themselves. Other work on the machine widens the spread.

        \(surroundings.map { "- \($0)" }.joined(separator: "\n"))

        \(table.text)
        ## Time of each stage

        Milliseconds of one job, by the transcoder's own clock of its stages; medians of the rounds.

        \(stages.text)
        """
    }
}
