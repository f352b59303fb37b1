package io.margay.gateway.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldNames;
import io.margay.protocol.http.Fields;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class HopByHopTest {
    @Test
    void fieldsOfOneConnection_areAllTaken() {
        Set<String> passed = new TreeSet<>();
        for (String name : FieldNames.OF_CONNECTION) {
            Fields fields = new Fields.Builder().add(name, "x").build();
            if (!HopByHop.of(fields).takes(fields, 0)) {
                passed.add(name);
            }
        }
        assertEquals(Set.of(), passed);
    }

    @Test
    void fieldsThatConnectionNominates_areTaken_othersAreNot() {
        Fields fields =
                new Fields.Builder()
                        .add("Connection", "close, X-Hop")
                        .add("x-hop", "1")
                        .add("x-end", "1")
                        .build();
        HopByHop taken = HopByHop.of(fields);
        assertTrue(taken.takes(fields, 1));
        assertFalse(taken.takes(fields, 2));
    }
}
