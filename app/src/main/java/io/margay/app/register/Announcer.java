package io.margay.app.register;

import io.margay.app.register.Announcement.Stage;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Registers this server where its configuration says, for as long as it takes requests.
/// Thread-safe; `lock` guards which registrations there are, and is held by a reload until gateways
/// have been told who has left.
public final class Announcer {
    /// How long a stop waits for all gateways together, those that do not answer among them.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ReentrantLock lock = new ReentrantLock();
    private List<Announcement> announcements = List.of();

    /// Begins what a configuration names, and ends what it does not name any more.
    public void follow(List<RegisterSettings> wanted) {
        lock.lock();
        try {
            List<Announcement> kept = new ArrayList<>();
            for (Announcement each : announcements) {
                if (wanted.contains(each.settings())) {
                    kept.add(each);
                } else if (wanted.stream().anyMatch(each.settings()::isSameMember)) {
                    each.abandon();
                } else {
                    each.want(Stage.GONE);
                    long _ = each.awaitTold(PATIENCE.toNanos());
                }
            }
            List<RegisterSettings> known = kept.stream().map(Announcement::settings).toList();
            for (RegisterSettings each : wanted) {
                if (!known.contains(each)) {
                    for (Door door : doors(each)) {
                        Announcement begun = new Announcement(each, door);
                        kept.add(begun);
                        begun.start();
                    }
                }
            }
            announcements = List.copyOf(kept);
        } finally {
            lock.unlock();
        }
    }

    private static List<Door> doors(RegisterSettings settings) {
        List<Door> doors = new ArrayList<>();
        for (URI gateway : settings.gateways()) {
            doors.add(new GatewayDoor(settings, gateway));
        }
        if (settings.through() != null) {
            doors.add(new RegistryDoor(settings, settings.through()));
        }
        return doors;
    }

    /// Tells all gateways that this server is about to leave: they choose it for its sessions only.
    public void drain() {
        tell(Stage.DRAINING);
    }

    /// Leaves the registrations to another process, which goes on with them.
    public void leaveToOther() {
        lock.lock();
        try {
            announcements.forEach(Announcement::abandon);
            announcements = List.of();
        } finally {
            lock.unlock();
        }
    }

    /// Leaves all gateways: they do not choose this server afterwards.
    public void leave() {
        tell(Stage.GONE);
    }

    private void tell(Stage stage) {
        List<Announcement> all = all();
        all.forEach(each -> each.want(stage));
        long left = PATIENCE.toNanos();
        for (Announcement each : all) {
            left = each.awaitTold(left);
        }
    }

    private List<Announcement> all() {
        lock.lock();
        try {
            return announcements;
        } finally {
            lock.unlock();
        }
    }

    /// How the registrations do.
    public List<RegistrationReading> read() {
        return all().stream().map(Announcement::read).toList();
    }
}
