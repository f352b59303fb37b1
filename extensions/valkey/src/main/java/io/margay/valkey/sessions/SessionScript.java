package io.margay.valkey.sessions;

import io.margay.valkey.ValkeyScript;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;

/// The scripts that Valkey runs: one key, one session.
@SuppressWarnings("ImmutableEnumChecker") // nobody changes what is in a script
enum SessionScript {
    USE("use.lua"),
    SAVE("save.lua"),
    REMOVE("remove.lua"),
    TAKE("take.lua"),
    DUE("due.lua"),
    ALIVE("alive.lua");

    private final ValkeyScript script;

    SessionScript(String file) {
        script = ValkeyScript.read(file, SessionScript.class.getResourceAsStream(file));
    }

    List<?> run(UnifiedJedis client, byte[] key, List<byte[]> arguments) {
        return (List<?>) script.run(client, List.of(key), arguments);
    }
}
