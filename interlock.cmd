@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Runs Interlock's command line; builds it first if it is missing. After a change of the sources, build by hand:
rem mvn -DskipTests -pl flashsale -am package
rem There is no Redis or PostgreSQL for Windows to embed: give --redis and --db.
setlocal
set "HOME_DIR=%~dp0"
set "JAR=%HOME_DIR%flashsale\target\interlock-flashsale.jar"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
if exist "%JAR%" goto run
where mvn >nul 2>nul
if errorlevel 1 (
  echo interlock: there is no mvn on the PATH: install Maven 3.8 or newer 1>&2
  exit /b 1
)
echo interlock: building once 1>&2
pushd "%HOME_DIR%"
call mvn -q -B -DskipTests -pl flashsale -am package 1>&2
if errorlevel 1 (
  popd
  echo interlock: the build failed, see above 1>&2
  exit /b 1
)
popd
:run
"%JAVA%" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 %INTERLOCK_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
