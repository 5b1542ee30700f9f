import BenchReport

/// The part of Benchmarks/RESULTS.md about videos.
struct VideoDocument {
    let surroundings: [String]
    let rounds: Int
    let table: ResultTable
    let stages: ResultTable

    var text: String {
        """
        # Videos, measured

        Made by `make bench` (`media-bench`). A warm worker in its sandbox and a program that is started for each file do
        the same work in turns: \(rounds) rounds after one that is not counted. A ratio is of the two of one round.
        Processor time is user and system, of one job of the worker, and of a whole process of the program with its start.
        Both read and write files in memory (`/dev/shm`) if there is room. Memory is the highest mark (`VmHWM`).

        * The poster is compared with `ffmpegthumbnailer -s 512`, which takes a key frame near a tenth of the video. The
          worker takes the first one that is not nearly black.
        * The copied video is compared with `ffmpeg -c copy -movflags +faststart -map_metadata -1`. The worker also decodes
          a key frame, as it does for every video.
        * A transcoded video has the same settings of x264, the same scaler (libswscale) and the same copied sound on both
          sides, and one thread for each codec. The program's rate limit is the one of the worker's file. The run fails if
          the settings that x264 writes into the two files differ.
        * The GIF becomes a video because the order allows fewer bytes than it has. The program does not lay it over white.
        * SSIM is of luma, the mean of all frames, by FFmpeg's filter `ssim`, against the source scaled with Lanczos. The
          column of ratios has ours there.
        * The everyday video has no peer. Its number is the processor time of the whole job.

        `ffmpeg` makes the videos of `fixtures/media/video-1080p.mp4`. That of 10 s has a sensor's noise, a phone's bit rate
        and a key frame each second ([InputDirectory+Videos.swift](media-bench/Inputs/InputDirectory+Videos.swift)).

        \(surroundings.map { "- \($0)" }.joined(separator: "\n"))

        \(table.text)
        ## Time of each stage of videos

        Milliseconds of one job, by the transcoder's own clock of its stages; medians of the rounds. A copied video counts
        as encoded.

        \(stages.text)
        """
    }
}
