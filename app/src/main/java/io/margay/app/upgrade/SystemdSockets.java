package io.margay.app.upgrade;

import io.margay.app.config.StartException;
import io.margay.transport.handover.HandoverLimits;
import io.margay.transport.handover.HandoverListener;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Sockets that systemd has opened for this process and passes at its start, from the third
/// descriptor on (sd_listen_fds(3)). Stateless.
public final class SystemdSockets {
    private static final int FIRST = 3;

    private SystemdSockets() {}

    /// The sockets that `LISTEN_FDS` counts; none where the variables are for another process.
    ///
    /// @param pid of this process
    /// @throws StartException when something that was passed is no socket that listens
    public static List<ListeningSocket> of(Map<String, String> environment, long pid) {
        return of(environment, pid, FIRST);
    }

    /// @param first number of the first descriptor
    static List<ListeningSocket> of(Map<String, String> environment, long pid, int first) {
        String count = environment.getOrDefault("LISTEN_FDS", "");
        boolean ours = environment.getOrDefault("LISTEN_PID", "").equals(String.valueOf(pid));
        if (!ours || !count.matches("[0-9]{1,3}") || HandoverListener.obstacle().isPresent()) {
            return List.of();
        }
        String[] names = environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
        int most = HandoverLimits.defaults().socketsMax();
        List<ListeningSocket> sockets = new ArrayList<>();
        for (int i = 0; i < Math.min(Integer.parseInt(count), most); i++) {
            try {
                String name = i < names.length ? names[i] : "";
                sockets.add(ListeningSocket.given(name, first + i));
            } catch (IOException e) {
                throw new StartException("LISTEN_FDS: " + e.getMessage(), e);
            }
        }
        return sockets;
    }
}
