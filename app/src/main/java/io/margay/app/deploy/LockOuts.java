package io.margay.app.deploy;

import io.margay.server.handover.TravellingState;
import io.margay.servlet.realm.FailedNames;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.realm.LockOutRealm;
import io.margay.servlet.security.Realm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The wrong passwords of a server's users, which it goes on counting when a reload makes these
/// anew, and which the process after it goes on counting. Thread-safe.
public final class LockOuts implements TravellingState {
    /// Sets of users, those of before a reload, too; beyond it the one that was made longest ago is
    /// forgotten.
    private static final int USERS_MAX = 100;

    /// Bytes of the names of one set.
    private static final int BYTES_MAX = 16 << 20;

    private static final System.Logger LOG = System.getLogger(LockOuts.class.getName());

    /// Stands for the users of the server.
    private static final String SERVER = "server";

    private final Map<Object, FailedNames> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Object, FailedNames> eldest) {
                    return size() > USERS_MAX;
                }
            };

    /// What another process has counted of users that are not known yet, by their fingerprints.
    private final Map<String, Counted> before = new HashMap<>();

    /// @param atNanos when it was written, by the clock of this process
    @SuppressWarnings("ArrayRecordComponent")
    private record Counted(byte[] names, long atNanos) {}

    /// The users of the server, which all its applications and hosts count together.
    Realm ofServer(Realm realm, LockOutLimits limits) {
        return of(SERVER, realm, limits);
    }

    /// Users of whom a name is refused for a while after too many wrong passwords.
    ///
    /// @param users as configured: those of equal ones are counted together
    public synchronized Realm of(Object users, Realm realm, LockOutLimits limits) {
        FailedNames failures = known.get(users);
        if (failures == null || !failures.limits().equals(limits)) {
            failures = new FailedNames(limits);
            FailedNames _ = known.put(users, failures);
            takeOver(failures, before.remove(fingerprint(users)));
        }
        return LockOutRealm.around(realm, failures);
    }

    private static void takeOver(FailedNames failures, @Nullable Counted counted) {
        if (counted != null) {
            try {
                long now = System.nanoTime();
                failures.read(
                        new DataInputStream(new ByteArrayInputStream(counted.names)),
                        now - counted.atNanos,
                        now);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "earlier wrong passwords cannot be read", e);
            }
        }
    }

    /// Of users as configured, the same in the next process: their text, which shows no secret.
    private static String fingerprint(Object users) {
        try {
            byte[] text = users.toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    // For the process that goes on with it

    @Override
    public String name() {
        return "lock-outs";
    }

    /// Fingerprint of users, length and names of each; then an empty fingerprint.
    @Override
    public synchronized void write(DataOutput out) throws IOException {
        for (Map.Entry<Object, FailedNames> each : known.entrySet()) {
            ByteArrayOutputStream names = new ByteArrayOutputStream();
            each.getValue().write(new DataOutputStream(names), System.nanoTime());
            out.writeUTF(fingerprint(each.getKey()));
            out.writeInt(names.size());
            out.write(names.toByteArray());
        }
        out.writeUTF("");
    }

    @Override
    public synchronized void read(DataInput in, Duration since) throws IOException {
        long at = System.nanoTime() - since.toNanos();
        for (String of = in.readUTF(); !of.isEmpty(); of = in.readUTF()) {
            int length = in.readInt();
            if (length < 0 || length > BYTES_MAX || before.size() >= USERS_MAX) {
                throw new IOException("more wrong passwords than there can be");
            }
            byte[] names = new byte[length];
            in.readFully(names);
            before.put(of, new Counted(names, at));
        }
        known.forEach((users, failures) -> takeOver(failures, before.remove(fingerprint(users))));
    }
}
