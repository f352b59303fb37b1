package io.margay.lab.generator;

import io.margay.lab.machine.ProcStat;
import java.io.IOException;

/// CPU time of this process. Immutable.
record SelfTimes(double userSeconds, double systemSeconds) {
    static SelfTimes now() throws IOException {
        ProcStat stat = ProcStat.of(ProcessHandle.current().pid());
        return new SelfTimes(stat.userSeconds(), stat.systemSeconds());
    }

    SelfTimes minus(SelfTimes earlier) {
        return new SelfTimes(
                userSeconds - earlier.userSeconds, systemSeconds - earlier.systemSeconds);
    }
}
