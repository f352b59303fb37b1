@echo off
rem Starts Margay on Windows: margay run, margay --help. The same program with the same options as
rem ./margay starts, but it never builds a checkout, makes no cache for faster starts, and has no lab.
rem
rem   MARGAY_JAVA_HOME   the JDK to use (otherwise JAVA_HOME, PATH and the usual folders)
rem   MARGAY_JAVA_OPTS   more options for the JVM, separated by blanks
rem
rem Values of variables may contain parentheses, as C:\Program Files (x86) does: no block has them.
setlocal EnableExtensions DisableDelayedExpansion

set "root=%~dp0"
set "root=%root:~0,-1%"
set "lib=%root%\lib"
if exist "%root%\pom.xml" set "lib=%root%\app\target\lib"
if exist "%lib%\" goto complete
echo margay: "%lib%" is missing: this is neither a built checkout nor a complete distribution>&2
exit /b 1
:complete

if /i not "%~1"=="lab" goto server
echo margay: the lab reads what Linux tells of processes, and runs there alone>&2
exit /b 1
:server

set "jdkMajorMin=25"
set "java="
if not defined MARGAY_JAVA_HOME goto bundled
call :probe "%MARGAY_JAVA_HOME%"
if defined java goto found
echo margay: MARGAY_JAVA_HOME is "%MARGAY_JAVA_HOME%", which is not a JDK %jdkMajorMin% or newer.>&2
echo Correct it, or unset it to have one found.>&2
exit /b 1

:bundled
rem What a package brings with it.
if exist "%root%\java\bin\java.exe" set "java=%root%\java\bin\java.exe"
if defined java goto found
if defined JAVA_HOME call :probe "%JAVA_HOME%"
if defined java goto found
for %%j in (java.exe) do if not "%%~$PATH:j"=="" call :probe "%%~dp$PATH:j.."
if defined java goto found
for %%d in (Java "Eclipse Adoptium" Microsoft "Amazon Corretto" Zulu BellSoft) do call :folder "%ProgramFiles%\%%~d"
call :folder "%USERPROFILE%\.jdks"
if defined java goto found
echo margay: no JDK %jdkMajorMin% or newer was found. Install one, for example from>&2
echo https://adoptium.net/installation/windows, or set MARGAY_JAVA_HOME to one that is elsewhere.>&2
exit /b 1
:found

rem What each is for stands in ./margay.
set "flags=--enable-native-access=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/java.io=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/java.lang=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/java.lang.invoke=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/java.lang.reflect=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/java.util=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/java.util.concurrent=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED"
set "flags=%flags% --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
set "flags=%flags% -XX:MetaspaceSize=64m"
set "flags=%flags% -XX:+ExitOnOutOfMemoryError"

rem The heap of a small machine, unless an option of the user's speaks of it.
set "heap=-XX:+UseSerialGC -Xms24m"
if %NUMBER_OF_PROCESSORS% GTR 2 set "heap="
set "said=options: %MARGAY_JAVA_OPTS% %JDK_JAVA_OPTIONS% %JAVA_TOOL_OPTIONS%"
set "said=%said:"=%"
for %%o in (-Xm GC Heap RAM -XX:Flags -XX:VMOptions @) do call :unless "%%o"

"%java%" %flags% %heap% %MARGAY_JAVA_OPTS% "-Dmargay.home=%root%" -cp "%lib%\*" io.margay.app.command.Main %*
exit /b %ERRORLEVEL%

rem Leaves the heap to the JVM if an option of the user's has %1 in it.
:unless
call set "rest=%%said:%~1=%%"
if not "%rest%"=="%said%" set "heap="
exit /b 0

rem Looks at the JDKs of the folder %1, unless one has been found.
:folder
if defined java exit /b 0
for /d %%j in ("%~1\*") do call :probe "%%~j"
exit /b 0

rem Sets java to the program of the JDK at %1, if that is new enough and none has been found.
:probe
if defined java exit /b 0
if not exist "%~1\bin\java.exe" exit /b 0
if not exist "%~1\release" exit /b 0
set "major=0"
for /f "usebackq tokens=1,2 delims==.-" %%k in ("%~1\release") do if "%%k"=="JAVA_VERSION" set "major=%%l"
set major=%major:"=%
if %major% GEQ %jdkMajorMin% set "java=%~1\bin\java.exe"
exit /b 0
