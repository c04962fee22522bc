@echo off
rem The `facedown` command of this checkout on Windows; the first start sets it up. On other systems it is ./facedown.
rem Builds of Python for Windows are all made with optimisations, so any of them will do.
setlocal
set "root=%~dp0"
set "python="
where py >nul 2>nul && set "python=py -3"
if not defined python where python >nul 2>nul && set "python=python"
if not defined python (
    echo facedown: Python 3.11 or newer is needed: install it from python.org and start again. 1>&2
    exit /b 1
)
%python% -I "%root%scripts\set_up.py" || exit /b 1
"%root%.venv\Scripts\facedown.exe" %*
exit /b %errorlevel%
