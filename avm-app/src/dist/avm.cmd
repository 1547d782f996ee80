@echo off
rem Runs the command avm with the Java runtime beside it; no Java needs to be installed.
rem AVM_JAVA_OPTS adds options for it, for example -Xmx8g.
setlocal
set "home=%~dp0.."
"%home%\runtime\bin\java.exe" "-XX:SharedArchiveFile=%home%\lib\avm.jsa" -Xshare:auto -Xlog:disable "@%home%\lib\java.options" %AVM_JAVA_OPTS% -jar "%home%\lib\avm.jar" %*
exit /b %ERRORLEVEL%
