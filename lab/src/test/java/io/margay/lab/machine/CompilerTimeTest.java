package io.margay.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class CompilerTimeTest {
    @Test
    void compilersOfThisProcess_haveWorked_andThoseOfNoneHaveNot() {
        long here = ProcessHandle.current().pid();
        assertTrue(CompilerTime.seconds(List.of(List.of(here))) > 0);
        assertEquals(0, CompilerTime.seconds(List.of(List.of(Long.MAX_VALUE))));
    }
}
