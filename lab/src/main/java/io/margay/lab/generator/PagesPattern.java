package io.margay.lab.generator;

import io.margay.lab.wire.Target;
import java.util.ArrayList;
import java.util.List;

/// Users who load whole pages: the page, then what is on it over all sockets of the user, then the
/// next page. A page with nothing on it is loaded over all sockets at once.
final class PagesPattern implements Pattern {
    private final LoadLoop loop;
    private final Target page;
    private final List<Target> parts;
    private final List<User> users = new ArrayList<>();
    private final int socketsPerUser;

    /// @param targets the page, then what is on it
    PagesPattern(LoadLoop loop, List<Target> targets, int socketsPerUser) {
        this.loop = loop;
        page = targets.getFirst();
        parts = targets.subList(1, targets.size());
        this.socketsPerUser = socketsPerUser;
    }

    @Override
    public void begin(long nowNanos) {
        List<Lane> all = loop.lanes();
        for (int i = 0; i + socketsPerUser <= all.size(); i += socketsPerUser) {
            User user = new User(List.copyOf(all.subList(i, i + socketsPerUser)));
            users.add(user);
            user.sockets.forEach(socket -> socket.attach(user));
            user.nextPage(nowNanos);
        }
    }

    @Override
    public void free(Lane connection, long nowNanos) {
        if (connection.attached() instanceof User user) {
            user.free(connection, nowNanos);
        }
    }

    @Override
    public long tick(long nowNanos) {
        return NEVER;
    }

    /// One user and the page being loaded.
    private final class User {
        private final List<Lane> sockets;
        private boolean onPage;
        private int asked;
        private int finished;

        private User(List<Lane> sockets) {
            this.sockets = sockets;
        }

        private void nextPage(long nowNanos) {
            if (parts.isEmpty()) {
                sockets.forEach(socket -> socket.request(page, nowNanos));
                return;
            }
            onPage = true;
            asked = 0;
            finished = 0;
            sockets.getFirst().request(page, nowNanos);
        }

        private void free(Lane socket, long nowNanos) {
            if (parts.isEmpty()) {
                loop.recorder().page();
                socket.request(page, nowNanos);
                return;
            }
            if (onPage) {
                onPage = false;
                for (Lane each : sockets) {
                    nextPart(each, nowNanos);
                }
                return;
            }
            finished++;
            if (finished == parts.size()) {
                loop.recorder().page();
                nextPage(nowNanos);
            } else {
                nextPart(socket, nowNanos);
            }
        }

        private void nextPart(Lane socket, long nowNanos) {
            if (asked < parts.size()) {
                socket.request(parts.get(asked++), nowNanos);
            }
        }
    }
}
